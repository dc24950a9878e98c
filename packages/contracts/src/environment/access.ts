import { z } from 'zod'
import { OpenIdProviders } from '../openid-provider.ts'
import { list, onOrOff, text } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** Who comes in, and by what. */
export const accessVariables = {
  SVC_MCP_ENABLED: {
    description:
      'the hosted MCP endpoint, and OAuth for it, is on when this is exactly true; the same for API and gateway',
    default: 'false',
    serverOnly: true,
    schema: text.transform((given) => given === 'true'),
  },
  SVC_OAUTH_CIMD: {
    description:
      'applications may be known by the address of a document that describes them, which the service reads there; false, as where it has no way out to the internet: by registration alone',
    default: 'true',
    serverOnly: true,
    schema: z.enum(['true', 'false'], 'give true or false').transform((given) => given === 'true'),
  },
  SVC_NEW_WORKSPACES: {
    description:
      'people make workspaces of their own; off leaves it to svc-admin create-owner with another --workspace',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_PASSWORD_LOGIN: {
    description: 'people sign in by passwords; off leaves the OpenID providers',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_OPENID_PROVIDERS: {
    description:
      'whom people sign in by, a JSON array of objects: name, issuer, client, secret, domains (whose verified addresses may join), workspace and role (member or viewer) of those who join',
    unset: 'none',
    secret: true,
    serverOnly: true,
    schema: OpenIdProviders,
  },
  SVC_OPENID_ALLOWED_HOSTS: {
    description:
      'hosts of OpenID providers that are not on the public internet and may be asked all the same, comma-separated, each host, host:port or host:port=CIDR; only these may be asked by http. Name each host that the provider publishes as an endpoint: issuer, token, keys',
    default: '',
    serverOnly: true,
    schema: list,
  },
} as const satisfies Record<string, EnvironmentVariable>
