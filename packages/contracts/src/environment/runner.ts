import { z } from 'zod'
import { Rights } from '../rights.ts'
import { httpUrl, text } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** Command line, runner and agent, on the machine of whoever uses the service. */
export const runnerVariables = {
  SVC_RUNNER_HOME: {
    description: 'where a runner keeps its runs and its linked checkouts',
    unset: 'that of the login, as npm start and a second one have it, else ~/.svc/runner',
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
    unset: 'SVC_BASE_URL, else that of the login, else that of npm start in this checkout',
    schema: httpUrl.transform((given) => given.replace(/\/+$/, '')),
  },
  SVC_USER_TOKEN: {
    description: 'the token of CLI, runner and agent',
    unset: 'that of the login, else that of npm start in this checkout',
    secret: true,
    schema: text,
  },
} as const satisfies Record<string, EnvironmentVariable>
