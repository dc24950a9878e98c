import { z } from 'zod'
import {
  callsAMinute,
  composerUrl,
  httpUrl,
  list,
  networks,
  onOrOff,
  port,
  postgresUrl,
  publicUrl,
  seconds,
  secretKeys,
  servedHosts,
  text,
  tracesUrl,
  webhookHosts,
  whole,
} from './environment-forms.ts'
import { limits } from './limits.ts'
import { OpenIdProviders } from './openid-provider.ts'
import { Rights } from './rights.ts'

export interface EnvironmentVariable {
  readonly description: string
  /** What stands when the variable is unset, written as one would set it; by app where the apps differ. */
  readonly default?: string | Readonly<Record<string, string>>
  /** In words, where no value stands for an unset variable: it is required, or taken from elsewhere. */
  readonly unset?: string
  /** May be given as `<NAME>_FILE`, and is never shown. */
  readonly secret?: true
  /** Never handed to a runner or an agent. Decision 44. */
  readonly serverOnly?: true
  /** What will read it: nothing does yet. */
  readonly planned?: string
  /** Reads the text of a variable that is set. */
  readonly schema: z.ZodType<unknown, string>
}

/** Every variable that configures a process of ours, over all apps. Decision 65. */
export const environmentVariables = {
  DATABASE_URL: {
    description: 'PostgreSQL 15 or newer',
    unset: 'embedded in the standalone app, else required',
    secret: true,
    serverOnly: true,
    schema: postgresUrl,
  },
  SVC_DATABASE_DIRECT_URL: {
    description: 'the same database past a pooler: LISTEN and migrations',
    unset: 'DATABASE_URL',
    secret: true,
    serverOnly: true,
    schema: postgresUrl,
  },
  SVC_BASE_URL: {
    description: 'the public origin; https unless loopback',
    unset:
      'required in mcp-gateway, else http at SVC_HOST, where that is a loopback address, or 127.0.0.1, with the port',
    serverOnly: true,
    schema: publicUrl,
  },
  SVC_SERVED_HOSTS: {
    description:
      'further hosts that the service is called by, beside that of SVC_BASE_URL, comma-separated, each with a port or for any: what is sent to another one is refused',
    default: '',
    serverOnly: true,
    schema: servedHosts,
  },
  SVC_HOST: {
    description: 'the address to listen on',
    default: '127.0.0.1',
    serverOnly: true,
    schema: text,
  },
  SVC_PORT: {
    description: 'the port to listen on; 0 takes a free one',
    default: { api: '4600', 'mcp-gateway': '4601', dispatcher: '4602', standalone: '4600' },
    schema: port,
  },
  SVC_SECRET_KEYS: {
    description:
      'key ring kid:base64, comma-separated, at least 32 bytes each, the first is current',
    unset: 'required; the standalone app makes its own',
    secret: true,
    serverOnly: true,
    schema: secretKeys,
  },
  SVC_DATA_DIR: {
    description: 'the folder of the standalone app',
    default: '.svc/data',
    serverOnly: true,
    schema: text,
  },
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
  SVC_LEASE_SECONDS: {
    description: 'how long a claimed request is held without a sign of life',
    default: '60',
    serverOnly: true,
    schema: seconds,
  },
  SVC_HEARTBEAT_SECONDS: {
    description: 'how often a runner reports its leases',
    default: '15',
    serverOnly: true,
    schema: seconds,
  },
  SVC_ATTACH_SECONDS: {
    description: 'how long a launched agent may take to attach',
    default: '600',
    serverOnly: true,
    schema: seconds,
  },
  SVC_SWEEP_SECONDS: {
    description: 'how often leases and sessions are looked through',
    default: '5',
    serverOnly: true,
    schema: seconds,
  },
  SVC_STALE_SECONDS: {
    description: 'silence after which a session is stale',
    default: '300',
    serverOnly: true,
    schema: seconds,
  },
  SVC_LOST_SECONDS: {
    description: 'silence after which a session is lost',
    default: '900',
    serverOnly: true,
    schema: seconds,
  },
  SVC_CANCEL_SECONDS: {
    description: 'how long a cancelled run may take to end',
    default: '60',
    serverOnly: true,
    schema: seconds,
  },
  SVC_NOTIFY: {
    description: 'wake other processes by NOTIFY; off costs latency and nothing else',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_PREPARED_STATEMENTS: {
    description: 'prepare statements that recur; off behind a pooler that keeps none',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_POOL_SIZE: {
    description: 'database connections of one process',
    default: '10',
    serverOnly: true,
    schema: whole(2, 200),
  },
  SVC_WEBHOOK_ALLOWED_HOSTS: {
    description:
      'hosts that are not on the public internet and that webhooks of a workspace may call, comma-separated: acme@10.0.0.5:8080 for the workspace acme, *@relay.internal for every one, each with =10.0.0.0/8 behind it where its addresses must lie in that range; operations.md says more',
    default: '',
    serverOnly: true,
    schema: webhookHosts,
  },
  SVC_RUN_LOG_MIB: {
    description:
      'how much of its output a run keeps, in MiB, its beginning and its end; runners are told with each launch',
    default: String(limits.logMiB),
    serverOnly: true,
    schema: whole(1, limits.logMiBMax),
  },
  SVC_LOG_QUOTA_GIB: {
    description:
      'how much the output of all runs of one workspace may take up, compressed, in GiB: what is oldest goes first',
    default: String(limits.logQuotaGiB),
    serverOnly: true,
    schema: whole(1, 100_000),
  },
  SVC_AUDIT_DAYS: {
    description:
      'how many days the audit trail is kept, 30 at least; what is older goes, and an entry says how much that was',
    default: String(limits.auditDays),
    serverOnly: true,
    schema: whole(30, 100_000),
  },
  SVC_NEW_WORKSPACES: {
    description:
      'people make workspaces of their own; off leaves it to svc-admin create-owner with another --workspace',
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
  SVC_PASSWORD_LOGIN: {
    description: 'people sign in by passwords; off leaves the OpenID providers',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_COMPOSER_URL: {
    description:
      'base address of an OpenAI-compatible API, such as https://api.openai.com/v1, that composes how deliveries are presented; the same for API, gateway and dispatcher',
    unset: 'none: nothing is composed',
    serverOnly: true,
    schema: composerUrl,
  },
  SVC_COMPOSER_MODEL: {
    description: 'the model that the composer is asked for',
    unset: 'required of the dispatcher with SVC_COMPOSER_URL',
    serverOnly: true,
    schema: text,
  },
  SVC_COMPOSER_KEY: {
    description: 'the key that the composer is called with, as a bearer token',
    unset: 'none',
    secret: true,
    serverOnly: true,
    schema: text.regex(/^[\x21-\x7e]+$/, 'give a key without spaces'),
  },
  SVC_METRICS_PORT: {
    description:
      'the port at SVC_HOST at which /metrics answers in the form of Prometheus; keep it from the internet',
    unset: 'nothing is measured',
    serverOnly: true,
    schema: port,
  },
  SVC_TRACES_URL: {
    description:
      'where the traces of OpenTelemetry go, as OTLP over HTTP in JSON, such as http://collector:4318/v1/traces',
    unset: 'nothing is traced',
    serverOnly: true,
    schema: tracesUrl,
  },
  SVC_DRAIN_SECONDS: {
    description: 'how long a stopping server says that it is not ready before it closes',
    default: { api: '5', 'mcp-gateway': '5', standalone: '0' },
    serverOnly: true,
    schema: whole(0, 300),
  },
  SVC_TRUSTED_PROXIES: {
    description:
      'addresses and networks of the proxies in front, comma-separated: what they say in X-Forwarded-For is believed',
    default: '',
    serverOnly: true,
    schema: networks,
  },
  SVC_LIMIT_READS: {
    description: 'reads a minute of one token; 0 or off, here and below: no limit',
    default: '600',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_WRITES: {
    description: 'writes a minute of one token',
    default: '120',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_AGENT_CALLS: {
    description: 'calls a minute of one agent session, lease or runner, not counted to the token',
    default: '120',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_CLAIMS: {
    description: 'claims a minute of one device, not counted to the token',
    default: '60',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_KEYED_CALLS: {
    description: 'calls a minute of all sessions, leases, runners and devices of one token',
    default: '6000',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_WORKSPACE_CALLS: {
    description: 'calls a minute of one workspace; those with a lease are not counted',
    default: '6000',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_FAILED_AUTHENTICATIONS: {
    description:
      'calls a minute without a valid token from one address, of IPv6 from one /64; of the endpoints that need none, of each',
    default: '20',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LOG_LEVEL: {
    description: 'the least serious line that is logged',
    default: 'info',
    schema: z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'give fatal, error, warn, info, debug, trace or silent',
    ),
  },
  SVC_PARENT_WATCH: {
    description: '1 stops the process when its parent is gone',
    default: '0',
    serverOnly: true,
    schema: z.enum(['0', '1'], 'give 0 or 1').transform((given) => given === '1'),
  },
  SVC_RUNNER_HOME: {
    description: 'where a runner keeps its runs and its linked checkouts',
    unset: '~/.svc/runner',
    schema: text,
  },
  SVC_SCRIPTED_AGENT: {
    description: 'main module of the scripted agent, offered by the runner when set',
    unset: 'none',
    schema: text,
  },
  SVC_SCRIPTED: {
    description:
      'how the scripted agent behaves: words with commas, such as slow=40, ask, ask-and-exit or crash-after-attach; a line `scripted: …` of an instruction says it for one run',
    default: 'none',
    schema: text,
  },
  SVC_RUNNER_LADDER_SECONDS: {
    description: 'how long an agent may take to end after SIGINT, and after SIGTERM',
    unset: '10,5',
    schema: z.string().regex(/^[0-9.]+,[0-9.]+$/, 'give two numbers of seconds, such as 10,5'),
  },
  SVC_RUNNER_MAX_RIGHTS: {
    description:
      'what a runner lets its agents do at most, whatever a project says: read, edit, work or all',
    default: 'all',
    schema: z.enum(Rights.options, `give ${Rights.options.join(', ')}`),
  },
  SVC_BACKEND_URL: {
    description: 'the service that CLI, runner and agent talk to',
    unset: 'that of the login, else that of npm start in this checkout',
    schema: httpUrl.transform((given) => given.replace(/\/+$/, '')),
  },
  SVC_USER_TOKEN: {
    description: 'the token of CLI, runner and agent',
    unset: 'that of the login, else that of npm start in this checkout',
    secret: true,
    schema: text,
  },
  SVC_TEST_DATABASE_URL: {
    description: 'a PostgreSQL server for the tests',
    unset: 'an embedded one',
    secret: true,
    schema: postgresUrl,
  },
  SVC_TEST_BROWSER: {
    description: 'the program of a Chromium or Chrome for the tests',
    unset: 'an installed one, else the one from npm',
    schema: text,
  },
} as const satisfies Record<string, EnvironmentVariable>

export type EnvironmentName = keyof typeof environmentVariables

/** What stands when this variable is unset, for the page that shows the table. */
export function describeDefault({ default: given, unset = 'none' }: EnvironmentVariable): string {
  if (typeof given !== 'object') return given || unset
  return Object.entries(given)
    .map(([app, value]) => `${value} (${app})`)
    .join(', ')
}
