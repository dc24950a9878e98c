import { z } from 'zod'
import { networks, port, publicUrl, secretKeys, servedHosts, text, whole } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** Where a process of the service is reached, what it keeps to itself, and how it ends. */
export const servingVariables = {
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
  SVC_TRUSTED_PROXIES: {
    description:
      'addresses and networks of the proxies in front, comma-separated: what they say in X-Forwarded-For is believed',
    default: '',
    serverOnly: true,
    schema: networks,
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
  SVC_DRAIN_SECONDS: {
    description: 'how long a stopping server says that it is not ready before it closes',
    default: { api: '5', 'mcp-gateway': '5', standalone: '0' },
    serverOnly: true,
    schema: whole(0, 300),
  },
  SVC_PARENT_WATCH: {
    description: '1 stops the process when its parent is gone',
    default: '0',
    serverOnly: true,
    schema: z.enum(['0', '1'], 'give 0 or 1').transform((given) => given === '1'),
  },
} as const satisfies Record<string, EnvironmentVariable>
