export { Copy, DockerfileParser } from 'dockerfile-ast';
export { validate as validateDockerfile } from 'dockerfile-utils';
