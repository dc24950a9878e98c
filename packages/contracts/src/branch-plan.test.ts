import { expect, test } from 'vitest'
import { type BranchPlanInput, planBranch } from './branch-plan.ts'

interface Vector {
  case: string
  title?: string
  activeBranch?: string | null
  objectiveBranch?: string | null
  siblingIsOlder?: boolean
  useWorktrees?: boolean
  known?: Record<string, boolean>
  branch: string
  from: 'base' | 'mission'
}

const vectors: Vector[] = [
  { case: 'none recorded', branch: 'add-a-greeting-7', from: 'base' },
  { case: 'a title without letters', title: '你好 !!', branch: 'mission-7', from: 'base' },
  {
    case: 'a title with accents',
    title: 'Über-Größe: Ça va?',
    branch: 'uber-gro-e-ca-va-7',
    from: 'base',
  },
  {
    case: 'a long title',
    title: `${'a'.repeat(47)} bcd`,
    branch: `${'a'.repeat(47)}-7`,
    from: 'base',
  },
  {
    case: 'recorded, not merged',
    activeBranch: 'feature/x',
    known: { 'feature/x': false },
    branch: 'feature/x',
    from: 'base',
  },
  {
    case: 'recorded, merged',
    activeBranch: 'add-a-greeting-7',
    known: { 'add-a-greeting-7': true },
    branch: 'add-a-greeting-7-2',
    from: 'base',
  },
  {
    case: 'recorded, gone',
    activeBranch: 'add-a-greeting-7',
    branch: 'add-a-greeting-7-2',
    from: 'base',
  },
  {
    case: 'second cycle merged',
    activeBranch: 'add-a-greeting-7-2',
    known: { 'add-a-greeting-7': true, 'add-a-greeting-7-2': true },
    branch: 'add-a-greeting-7-3',
    from: 'base',
  },
  {
    case: 'the next cycle is taken by a branch that was merged',
    activeBranch: 'add-a-greeting-7',
    known: { 'add-a-greeting-7': true, 'add-a-greeting-7-2': true },
    branch: 'add-a-greeting-7-3',
    from: 'base',
  },
  {
    case: 'an older sibling on the same resource',
    activeBranch: 'add-a-greeting-7',
    known: { 'add-a-greeting-7': false },
    siblingIsOlder: true,
    branch: 'add-a-greeting-7-k7qd',
    from: 'mission',
  },
  {
    case: "an older sibling, the mission's branch not there yet",
    siblingIsOlder: true,
    branch: 'add-a-greeting-7-k7qd',
    from: 'base',
  },
  {
    case: 'an older sibling without worktrees',
    activeBranch: 'add-a-greeting-7',
    known: { 'add-a-greeting-7': false },
    siblingIsOlder: true,
    useWorktrees: false,
    branch: 'add-a-greeting-7',
    from: 'base',
  },
  {
    case: 'a branch of its own, not merged',
    activeBranch: 'add-a-greeting-7',
    objectiveBranch: 'add-a-greeting-7-k7qd',
    known: { 'add-a-greeting-7': false, 'add-a-greeting-7-k7qd': false },
    branch: 'add-a-greeting-7-k7qd',
    from: 'mission',
  },
  {
    case: 'a branch of its own, gone',
    activeBranch: 'add-a-greeting-7',
    objectiveBranch: 'add-a-greeting-7-k7qd',
    known: { 'add-a-greeting-7': false },
    branch: 'add-a-greeting-7-k7qd',
    from: 'mission',
  },
]

test.each(vectors)('the branch of a run: $case', (vector) => {
  const { branch, from } = planBranch(inputOf(vector))
  expect({ branch, from }).toEqual({ branch: vector.branch, from: vector.from })
})

function inputOf(vector: Vector): BranchPlanInput {
  const known = Object.entries(vector.known ?? {}).map(
    ([name, merged]) => [name, { merged }] as const,
  )
  return {
    mission: {
      title: vector.title ?? 'Add a greeting',
      sequence: 7,
      activeBranch: vector.activeBranch ?? null,
    },
    objective: { key: 'k7qd', branch: vector.objectiveBranch ?? null },
    siblingIsOlder: vector.siblingIsOlder ?? false,
    useWorktrees: vector.useWorktrees ?? true,
    known: new Map(known),
  }
}
