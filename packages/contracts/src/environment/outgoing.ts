import { composerUrl, text, webhookHosts } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** Whom the service calls of its own accord. */
export const outgoingVariables = {
  SVC_WEBHOOK_ALLOWED_HOSTS: {
    description:
      'hosts that are not on the public internet and that webhooks of a workspace may call, comma-separated: acme@10.0.0.5:8080 for the workspace acme, *@relay.internal for every one, each with =10.0.0.0/8 behind it where its addresses must lie in that range; operations.md says more',
    default: '',
    serverOnly: true,
    schema: webhookHosts,
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
} as const satisfies Record<string, EnvironmentVariable>
