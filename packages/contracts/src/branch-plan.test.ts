import { describe, expect, test } from 'vitest'
import { type BranchFacts, type BranchPlanInput, judgeBranch, planBranch } from './branch-plan.ts'

const facts: BranchFacts = {
  hasWork: true,
  merged: false,
  here: 'absent',
  origin: 'unasked',
  sameRunner: false,
  runnerGone: false,
}

const verdicts: [string, Partial<BranchFacts>, ReturnType<typeof judgeBranch>][] = [
  ['nothing committed on it, here', { hasWork: false, here: 'whole' }, 'use'],
  ['nothing committed on it, here at another commit', { hasWork: false, here: 'lacking' }, 'use'],
  ['nothing committed on it, not here', { hasWork: false }, 'ask_origin'],
  ['nothing committed on it, nowhere', { hasWork: false, origin: 'absent' }, 'anew'],
  ['nothing committed on it, origin away', { hasWork: false, origin: 'unreachable' }, 'anew'],
  ['nothing committed on it, at origin', { hasWork: false, origin: 'whole' }, 'use'],
  ['nothing committed on it, another one at origin', { hasWork: false, origin: 'lacking' }, 'anew'],
  [
    'nothing committed on it, so in the base',
    { hasWork: false, merged: true, origin: 'absent' },
    'anew',
  ],
  ['merged, here', { merged: true, here: 'whole' }, 'next'],
  ['merged, removed after it', { merged: true }, 'next'],
  ['here with its last commit', { here: 'whole' }, 'use'],
  ['not here', {}, 'ask_origin'],
  ['here without its last commit', { here: 'lacking' }, 'ask_origin'],
  ['at origin alone', { origin: 'whole' }, 'use'],
  ['at origin, and here an older state', { here: 'lacking', origin: 'whole' }, 'use'],
  ['origin away', { origin: 'unreachable' }, 'network'],
  ['origin away, this runner', { origin: 'unreachable', sameRunner: true }, 'network'],
  ['nowhere, this runner', { origin: 'absent', sameRunner: true }, 'gone'],
  ['reset, this runner', { here: 'lacking', origin: 'absent', sameRunner: true }, 'gone'],
  ['nowhere, another runner', { origin: 'absent' }, 'elsewhere'],
  ['at origin an older state, another runner', { origin: 'lacking' }, 'elsewhere'],
  ['nowhere, a runner that is gone', { origin: 'absent', runnerGone: true }, 'anew'],
  [
    'at origin an older state, a runner that is gone',
    { origin: 'lacking', runnerGone: true },
    'use',
  ],
  [
    'here an older state, a runner that is gone',
    { here: 'lacking', origin: 'absent', runnerGone: true },
    'use',
  ],
  ['origin away, a runner that is gone', { origin: 'unreachable', runnerGone: true }, 'network'],
]

test.each(verdicts)('a recorded branch that is %s', (_, found, verdict) => {
  expect(judgeBranch({ ...facts, ...found })).toBe(verdict)
})

type Going = 'use' | 'anew' | 'next'

interface Vector {
  case: string
  title?: string
  activeBranch?: string | null
  mission?: [string, Going]
  objective?: [string, Going]
  siblingIsOlder?: boolean
  useWorktrees?: boolean
  taken?: string[]
  branch: string
  cutFrom: 'base' | 'mission' | null
}

const mission = 'add-a-greeting-7'

const vectors: Vector[] = [
  { case: 'none recorded', branch: mission, cutFrom: 'base' },
  { case: 'a title without letters', title: '你好 !!', branch: 'mission-7', cutFrom: 'base' },
  {
    case: 'a title with accents',
    title: 'Über-Größe: Ça va?',
    branch: 'uber-grosse-ca-va-7',
    cutFrom: 'base',
  },
  {
    case: 'a long title',
    title: `${'a'.repeat(47)} bcd`,
    branch: `${'a'.repeat(47)}-7`,
    cutFrom: 'base',
  },
  {
    case: 'none recorded here, one in another resource',
    activeBranch: 'add-a-greeting-7-2',
    branch: 'add-a-greeting-7-2',
    cutFrom: 'base',
  },
  {
    case: 'none recorded, and the name is somebody else’s',
    taken: [mission, 'add-a-greeting-7-2'],
    branch: 'add-a-greeting-7-3',
    cutFrom: 'base',
  },
  {
    case: 'none recorded here, and the name of another resource’s is somebody else’s',
    activeBranch: 'add-a-greeting-7-2',
    taken: ['add-a-greeting-7-2'],
    branch: 'add-a-greeting-7-3',
    cutFrom: 'base',
  },
  {
    case: 'recorded, used',
    mission: ['feature/x', 'use'],
    taken: ['feature/x'],
    branch: 'feature/x',
    cutFrom: null,
  },
  {
    case: 'recorded here, a newer one in another resource',
    activeBranch: 'add-a-greeting-7-2',
    mission: [mission, 'use'],
    taken: [mission],
    branch: mission,
    cutFrom: null,
  },
  { case: 'recorded, without work', mission: [mission, 'anew'], branch: mission, cutFrom: 'base' },
  {
    case: 'recorded, merged',
    mission: [mission, 'next'],
    taken: [mission],
    branch: 'add-a-greeting-7-2',
    cutFrom: 'base',
  },
  {
    case: 'recorded, merged and removed',
    mission: [mission, 'next'],
    branch: 'add-a-greeting-7-2',
    cutFrom: 'base',
  },
  {
    case: 'second cycle merged',
    mission: ['add-a-greeting-7-2', 'next'],
    taken: [mission, 'add-a-greeting-7-2'],
    branch: 'add-a-greeting-7-3',
    cutFrom: 'base',
  },
  {
    case: 'the next cycle’s name is taken',
    mission: [mission, 'next'],
    taken: ['add-a-greeting-7-2'],
    branch: 'add-a-greeting-7-3',
    cutFrom: 'base',
  },
  {
    case: 'an older sibling on the same resource',
    mission: [mission, 'use'],
    taken: [mission],
    siblingIsOlder: true,
    branch: 'add-a-greeting-7-k7qd',
    cutFrom: 'mission',
  },
  {
    case: "an older sibling, the mission's branch not there yet",
    siblingIsOlder: true,
    branch: 'add-a-greeting-7-k7qd',
    cutFrom: 'base',
  },
  {
    case: 'an older sibling, and the name is somebody else’s',
    siblingIsOlder: true,
    taken: ['add-a-greeting-7-k7qd'],
    branch: 'add-a-greeting-7-k7qd-2',
    cutFrom: 'base',
  },
  {
    case: 'an older sibling without worktrees',
    mission: [mission, 'use'],
    siblingIsOlder: true,
    useWorktrees: false,
    branch: mission,
    cutFrom: null,
  },
  {
    case: 'a branch of its own, used',
    mission: [mission, 'use'],
    objective: ['add-a-greeting-7-k7qd', 'use'],
    branch: 'add-a-greeting-7-k7qd',
    cutFrom: null,
  },
  {
    case: 'a branch of its own, without work',
    mission: [mission, 'use'],
    objective: ['add-a-greeting-7-k7qd', 'anew'],
    branch: 'add-a-greeting-7-k7qd',
    cutFrom: 'mission',
  },
  {
    case: 'a branch of its own, merged',
    mission: [mission, 'use'],
    objective: ['add-a-greeting-7-k7qd', 'next'],
    branch: mission,
    cutFrom: null,
  },
]

describe('the branch of a run', () => {
  test.each(vectors)('$case', (vector) => {
    const { branch, cutFrom } = planBranch(inputOf(vector))
    expect({ branch, cutFrom }).toEqual({ branch: vector.branch, cutFrom: vector.cutFrom })
  })
})

function inputOf(vector: Vector): BranchPlanInput {
  const recorded = (given: [string, Going] | undefined) =>
    given ? { branch: given[0], verdict: given[1] } : null
  return {
    mission: {
      title: vector.title ?? 'Add a greeting',
      sequence: 7,
      activeBranch: vector.activeBranch ?? vector.mission?.[0] ?? null,
    },
    objectiveKey: 'k7qd',
    siblingIsOlder: vector.siblingIsOlder ?? false,
    useWorktrees: vector.useWorktrees ?? true,
    recorded: { mission: recorded(vector.mission), objective: recorded(vector.objective) },
    taken: new Set(vector.taken),
  }
}
