// The example of docs/guides/protect-your-route.md, word for word but for the folder of its imports: a test compares them.
import { Hono } from 'hono';
import type { Authorization } from '../../../routes/api/bindings/authorization-entrypoint.ts';
import { type ProtectedEnv, createProtectedResource } from '../../../routes/api/authorization/protected.ts';

// wrangler.toml of your Worker:  [[services]]  binding = "AUTHORIZATION"  service = "sightline-api"  entrypoint = "Authorization"
type Env = { Bindings: { AUTHORIZATION: Authorization } } & ProtectedEnv;
const app = new Hono<Env>();

app.use(
  createProtectedResource<Env>({
    resource: () => 'https://control.example.com/things', // the audience: CONTROL_URL of the api Worker, without trailing slash
    issuer: () => 'https://sightline.example.com', // BASE_URL of the api Worker
    requiredScopes: ['operator'],
    validate: (c) => (token, resource) => c.env.AUTHORIZATION.validate(token, resource),
  }),
);
app.get('/things', (c) => c.json({ account: c.var.auth.userId, scopes: c.var.auth.scope }));

export { app };
