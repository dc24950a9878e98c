import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RecordedBranch } from '@svc/contracts/assigned-branches'
import { type Assignment, usesWorktrees } from '@svc/contracts/assignment'
import { findUncommittedWork } from '../git/uncommitted-work.ts'
import { nameCheckout } from '../git/named-checkout.ts'
import { missedWork, planCheckoutBranch } from '../git/planned-branch.ts'
import { enterWorkingTree, findWorkingTree } from '../git/working-tree.ts'
import { makeAssignment, thisRunner } from './assignment.ts'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'

export const missionBranch = 'add-a-greeting-7'
export const otherRunner = '0190a000-0000-7000-8000-00000000000b'

export function repository() {
  const folder = temporaryFolder()
  createRepository(folder.path)
  return folder
}

export function cloned(origin: string) {
  const folder = temporaryFolder()
  gitIn(folder.path, 'clone', '--quiet', origin, '.')
  return folder
}

export function commit(checkout: string, file: string): string {
  writeFileSync(join(checkout, file), `${file}\n`)
  gitIn(checkout, 'add', '.')
  gitIn(checkout, 'commit', '--quiet', '-m', file)
  return gitIn(checkout, 'rev-parse', 'HEAD')
}

/** Commits so many files in a folder `many`, and writes none of them out. */
export function commitMany(checkout: string, count: number): void {
  const blob = gitIn(checkout, 'rev-parse', 'HEAD:README.md')
  const paths = Array.from({ length: count }, (_, number) => `many/${number}.txt`)
  const input = paths.map((path) => `100644 ${blob}\t${path}\n`).join('')
  execFileSync('git', ['update-index', '--index-info'], { cwd: checkout, input })
  gitIn(checkout, 'commit', '--quiet', '-m', 'Many')
}

/** What of a run on the mission's branch is not on that branch. */
export const uncommittedWork = (workingDirectory: string) =>
  findUncommittedWork({ workingDirectory, branch: missionBranch }, {})

export type Wanted = Parameters<typeof makeAssignment>[0]

/** Plans and enters as a supervisor does, but for the holders. Disposing removes the worktrees' folder. */
export function openRoot() {
  const folder = temporaryFolder()
  return {
    path: folder.path,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    prepare: async (checkout: string, wanted: Wanted = {}) => {
      const assignment = makeAssignment({ resourceKey: 'web', ...wanted })
      const linked = nameCheckout(checkout, assignment, 'laptop')
      const plan = await planCheckoutBranch(linked, assignment, {})
      const input = {
        linked,
        useWorktrees: usesWorktrees(assignment),
        root: folder.path,
        name: { projectSlug: basename(checkout), resourceKey: 'web' },
      }
      const tree = await findWorkingTree(input, plan, {})
      const entered = await enterWorkingTree(linked, tree, plan, {})
      const missed = await missedWork(tree, assignment, entered.baseSha, {})
      return {
        at: tree.checkout,
        kind: tree.kind,
        branch: plan.branch,
        startSha: plan.startSha,
        baseSha: entered.baseSha,
        warnings: [...entered.warnings, ...missed],
      }
    },
  }
}

/** What the service recorded of the mission's branch, as it is in this repository. */
export function recordedIn(
  checkout: string,
  changes: Partial<RecordedBranch> = {},
): RecordedBranch {
  return {
    branch: missionBranch,
    startSha: gitIn(checkout, 'rev-parse', 'main'),
    lastSha: gitIn(checkout, 'rev-parse', changes.branch ?? missionBranch),
    runnerId: thisRunner,
    runnerLabel: 'laptop',
    ...changes,
  }
}

export const ofMission = (
  mission: RecordedBranch,
  more: Partial<Assignment['branches']> = {},
): Wanted => ({ activeBranch: mission.branch, branches: { mission, ...more } })
