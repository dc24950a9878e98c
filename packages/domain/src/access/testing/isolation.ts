import { type Furnished, furnish, unknownNames, uuids } from '../../testing/furnished.ts'
import { inputOf } from '../../testing/least-input.ts'
import { type Level, type Names, type Naming, levelOf, namingOf } from '../../testing/naming.ts'
import { type Hooked, test } from '../../testing/hooked-world.ts'
import { type Operation, operations, outcomeOf } from '../../testing/operations.ts'
import { type Person, personWith } from '../../testing/people.ts'
import { tokenForObjective } from '../../testing/stored.ts'
import { describe, expect } from 'vitest'

interface Caller {
  /** From here on nothing is theirs but what is their own. */
  foreign: Level
  meet: (hooked: Hooked) => Promise<{ caller: Person; own: Furnished; other: Furnished }>
}

const callers = {
  'of another workspace': {
    foreign: 'workspace',
    meet: async (hooked) => {
      const caller = personWith(hooked.domain, hooked.world.carla.token)
      const own = await furnish(hooked, caller)
      return { caller, own, other: await furnish(hooked, hooked.alice) }
    },
  },
  'who is another admin of the workspace': {
    foreign: 'account',
    meet: async (hooked) => {
      const { domain, world } = hooked
      const caller = personWith(domain, (await world.person('admin')).token)
      const own = await furnish(hooked, caller)
      return { caller, own, other: await furnish(hooked, hooked.alice) }
    },
  },
  'with a token for another project': {
    foreign: 'project',
    meet: async (hooked) => {
      const own = await furnish(hooked, hooked.alice)
      const other = await furnish(hooked, hooked.alice)
      const projectIds = [own.project.id]
      const caller = await hooked.alice.withToken({ preset: 'full', projectIds })
      return { caller, own, other }
    },
  },
  'with a token for an objective of another mission': {
    foreign: 'mission',
    meet: async (hooked) => {
      const own = await furnish(hooked, hooked.alice)
      const other = await furnish(hooked, hooked.alice, { project: own.project })
      return { caller: await tokenForObjective(hooked, hooked.alice, own.objective), own, other }
    },
  },
  'with a token for another objective of the mission': {
    foreign: 'objective',
    meet: async (hooked) => {
      const own = await furnish(hooked, hooked.alice)
      const { project, mission } = own
      const other = await furnish(hooked, hooked.alice, { project, mission })
      return { caller: await tokenForObjective(hooked, hooked.alice, own.objective), own, other }
    },
  },
} satisfies Record<string, Caller>

export type CallerName = keyof typeof callers
// the keys of an object literal are its key type
export const callerNames = Object.keys(callers) as CallerName[]

/** That what is not theirs is hidden from these callers by each of these operations. */
export function describeIsolation(
  taken: readonly CallerName[],
  asked: readonly Operation[] = operations,
): void {
  describe('to a caller', () => {
    const surfaces = [...new Set(asked.map(({ surface }) => surface))]
    const cases = taken.flatMap((who) =>
      surfaces.map((surface) => ({ who, surface, ...callers[who] })),
    )

    test.for(cases)(
      '$who what is not theirs is as if it were not there, word for word, whatever they ask by $surface',
      async ({ surface, foreign, meet }, { hooked }) => {
        const { caller, own, other } = await meet(hooked)
        const before = await allOf(hooked, other)
        const [unknown, unknownDisplay] = unknownNames(other, foreign)
        const spellings: [hidden: Names, absent: Names][] = [
          [other.names, unknown],
          [other.displayNames, unknownDisplay],
        ]
        for (const operation of asked.filter((one) => one.surface === surface)) {
          for (const { named, alone } of waysToName(operation, isBeyond(foreign))) {
            const isNamed = (naming: Naming) => !alone || named.includes(naming)
            for (const [hidden, absent] of spellings) {
              const isSpeltAsBefore = named.every((one) => hidden[one] === other.names[one])
              if (hidden !== other.names && isSpeltAsBefore) continue
              const ask = async (names: Names) => {
                const mixed = { ...own.names, ...pick(names, named) }
                const input = inputOf(operation, mixed, own.lease, isNamed)
                return textOf(await outcomeOrUnread(operation.call(caller, input)), names, absent)
              }
              const asked = { operation: operation.name, named, alone }
              const [found, missing] = await Promise.all([ask(hidden), ask(absent)])
              expect({ ...asked, found }).toEqual({ ...asked, found: missing })
            }
          }
        }
        expect(await allOf(hooked, other)).toEqual(before)
      },
    )

    const strangers = taken.flatMap((who) =>
      callers[who].foreign === 'objective' ? [] : [{ who, ...callers[who] }],
    )

    // with an objective the others of its mission are shown, as its agent needs them
    test.for(strangers)(
      '$who nothing is told that is not theirs where they name nothing',
      async ({ foreign, meet }, { hooked }) => {
        const { caller, own, other } = await meet(hooked)
        const isForeign = isBeyond(foreign)
        const secrets = Object.entries(other.names)
          .filter(([naming]) => isForeign(naming as Naming))
          .flatMap(([, value]) => JSON.stringify(value).match(uuids) ?? [])
        for (const operation of asked.filter(
          (one) => foreign !== 'account' || !toldToAdmins.has(one.name),
        )) {
          const input = inputOf(operation, own.names, own.lease, () => false)
          const answer = JSON.stringify(await outcomeOrUnread(operation.call(caller, input)))
          const leaked = secrets.filter((secret) => answer.includes(secret))
          expect([operation.name, leaked]).toEqual([operation.name, []])
        }
      },
    )
  })
}

/** These are there to tell admins what everybody did, and with which tokens. */
const toldToAdmins: ReadonlySet<string> = new Set([
  'GET /api/audit',
  'GET /api/workspace/user-tokens',
])

/** What is foreign where this is. */
const held: Readonly<Record<Level, readonly Level[]>> = {
  workspace: ['account', 'project', 'mission', 'objective'],
  account: ['account'],
  project: ['project', 'mission', 'objective'],
  mission: ['mission', 'objective'],
  objective: ['objective'],
}

function isBeyond(level: Level): (naming: Naming) => boolean {
  return (naming) => held[level].includes(levelOf[naming])
}

interface Way {
  named: Naming[]
  /** Nothing that may be left out is given in addition; else what the operation can name besides is the caller's own. */
  alone: boolean
}

/** Each foreign thing that the operation can name, and all of them together. */
function waysToName(operation: Operation, isForeign: (naming: Naming) => boolean): Way[] {
  const namings = [...operation.fields.keys()].flatMap((field) => namingOf(operation, field) ?? [])
  const foreign = namings.filter(isForeign)
  const one = foreign.map((naming) => ({ named: [naming], alone: true }))
  if (namings.length < 2 || foreign.length === 0) return one
  return [...one, ...one.map((way) => ({ ...way, alone: false })), { named: foreign, alone: false }]
}

function pick(names: Names, wanted: readonly Naming[]): Partial<Names> {
  return Object.fromEntries(wanted.map((naming) => [naming, names[naming]]))
}

/** Without what differs from call to call, and with the names that were sent as those that name nothing. */
function textOf(outcome: unknown, sent: Names, absent: Names): string {
  let text = JSON.stringify(outcome)
  for (const [naming, value] of Object.entries(sent)) {
    const missing = textsOf(absent[naming as Naming])
    for (const [index, one] of textsOf(value).entries())
      text = text.replaceAll(one, String(missing[index]))
  }
  return (
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      // a place in the order of transactions, which those of every database of this PostgreSQL move on
      .replace(/"cursor":"\d+\.\d+\.\d+"/g, '"cursor":"<place>"')
  )
}

/** A name, or each of a list of them. */
function textsOf(name: unknown): readonly string[] {
  return [name].flat().filter((one) => typeof one === 'string')
}

/** Some operations want more named than the one thing. */
function outcomeOrUnread(call: Promise<unknown>): Promise<unknown> {
  return outcomeOf(call).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ZodError') return 'not read'
    throw error
  })
}

/** All that is told of it to somebody who may read it. */
async function allOf({ alice }: Hooked, { mission, lease, project }: Furnished) {
  const { updatedAt: _renewed, ...request } = await alice.request(lease)
  return [
    await alice.mission(mission),
    await alice.eventsOf(mission),
    request,
    await alice.call('listArtifacts', { id: mission.id }),
    await alice.call('listProjectStatuses', { id: project.id }),
    await alice.call('listWebhooks', { limit: 200 }),
    await alice.call('listInboxItems', { state: 'all' }),
    await alice.call('listNotifications', {}),
  ]
}
