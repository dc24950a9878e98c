import { homedir } from 'node:os'
import { nameOfResource } from '../git/named-checkout.ts'
import { forOthers } from '../output/for-others.ts'
import { secretSpellings } from '../output/secrets.ts'
import { type RunOrder, secretsOf } from './order.ts'

export type PrivateFacts = Pick<
  RunOrder,
  'device' | 'leaseToken' | 'agentToken' | 'checkouts' | 'home'
>

/** A sentence of this run for whoever may read the mission. */
export function textForOthers(text: string, order: PrivateFacts, env: NodeJS.ProcessEnv): string {
  return forOthers(text, keptOf(order, env))
}

/** What this machine keeps from others: its secrets, and where its folders are. */
function keptOf(
  { checkouts, device, home, ...secrets }: PrivateFacts,
  env: NodeJS.ProcessEnv,
): Parameters<typeof forOthers>[1] {
  const resources = Object.entries(checkouts).map(([key, path]) => {
    return [path, nameOfResource(key, device.label)] as const
  })
  return {
    folders: {
      [homedir()]: '~',
      [home]: `the home of runner ${device.label}`,
      ...Object.fromEntries(resources),
    },
    spellings: secretSpellings(env, secretsOf(secrets, env)),
  }
}
