# The command line as an image: docker build -t sightline . && docker run --rm sightline audit https://example.com
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The sources come later, so that a change of them installs nothing anew; the builds are run by hand then.
RUN npm ci --omit=dev --ignore-scripts
COPY LICENSE CHANGELOG.md ./
COPY docs/reference/sightline.config.schema.json docs/reference/
COPY scripts scripts
COPY src src
RUN node scripts/build-cli.js && node scripts/build-package.js

FROM node:24.21.0-bookworm-slim
COPY --from=build /build/dist/package /opt/sightline
# Files that a command writes go to the folder that is mounted here: -v "$PWD:/work"
WORKDIR /work
USER node
ENTRYPOINT ["node", "/opt/sightline/cli.js"]
CMD ["help"]
