import type { ProjectResource } from '@svc/contracts/project'
import type { CheckoutState, Runner } from '@svc/contracts/runner'
import { fitTogether } from '@svc/contracts/version'
import type { Wording } from './states.ts'

const as = (sign: string, word: string, tone: Wording['tone'], sentence: string): Wording => ({
  sign,
  word,
  tone,
  sentence,
})

// Each table has a row for each name of the contracts: a new one without its words does not compile.

export const runnerWords: Readonly<Record<Runner['state'], Wording>> = {
  connected: as('●', 'here', 'good', 'It was heard of within the last minute.'),
  unavailable: as('○', 'away', 'quiet', 'It was not heard of for more than a minute.'),
}

const withoutAgent = as(
  '!',
  'no agent',
  'waits',
  'It is here, and offers no agent: it takes no launches.',
)

type Offering = Pick<Runner, 'state' | 'agents'> & Partial<Pick<Runner, 'heldAgents'>>

/** It is here and can take nothing, whatever is launched. One whose agents are held takes launches again by itself. */
export function lacksAgent({ state, agents, heldAgents = [] }: Offering): boolean {
  return state === 'connected' && agents.length === 0 && heldAgents.length === 0
}

/** As it stands at its name. */
export function wordsOfRunner(runner: Offering): Wording {
  return lacksAgent(runner) ? withoutAgent : runnerWords[runner.state]
}

export const checkoutWords: Readonly<Record<CheckoutState, Wording>> = {
  usable: as('✓', 'usable', 'good', 'Runs are started in it.'),
  missing: as('!', 'missing', 'bad', 'Its folder is not there any more.'),
  unreadable: as('!', 'unreadable', 'bad', 'The runner may not read its folder.'),
  not_a_repository: as('!', 'no repository', 'bad', 'Its folder holds no repository any more.'),
}

export const resourceWords: Readonly<Record<ProjectResource['state'], Wording>> = {
  connected: as('●', 'connected', 'good', 'A runner that is here has a usable checkout of it.'),
  unavailable: as(
    '○',
    'no runner has it',
    'quiet',
    'Runs that need it wait for a runner with one.',
  ),
}

/** Undefined where the runner and the service are made for each other, or nobody knows. */
export function versionWords(runner: string, service: string | undefined): string | undefined {
  if (service === undefined || fitTogether(runner, service)) return undefined
  return `It is of version ${runner} and the service of ${service}: they are not made for each other.`
}

/** How much of what it may run at a time it runs now. */
export function capacityWords({ running, max }: Runner['capacity']): string {
  return running === 0
    ? `takes ${max} ${max === 1 ? 'run' : 'runs'} at a time`
    : `${running} of ${max} busy`
}

type Named = Pick<Runner, 'id' | 'label'>

/** Its name in a text, with the mark where others of these are called so. */
export function nameOfRunner(one: Named, all: readonly Named[]): string {
  const mark = markOfRunner(one, all)
  return mark === undefined ? one.label : `${one.label} (${mark})`
}

/** What tells a runner from others of its name: the end of its id; undefined where its name does. */
export function markOfRunner({ id, label }: Named, all: readonly Named[]): string | undefined {
  const isShared = all.some((one) => one.label === label && one.id !== id)
  return isShared ? id.slice(-4) : undefined
}
