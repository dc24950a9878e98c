import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared } from '@svc/contracts/assignment'
import { expect, test } from 'vitest'
import { thisRunner } from './assignment.ts'
import { commit } from './prepared.ts'
import { openRunnerWorld, type RunnerWorld } from './runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

interface AgentAction {
  title: string
  /** In a worktree on a branch of the mission, which holds one commit of its own. */
  script: string
  /** What the run says at its end, in order. */
  warnings: string[]
  /** Why the next objective does not start; it does where this is left out. */
  refusal?: { code: string; words: string }
}

const toMain = 'cd "$(git rev-parse --git-common-dir)/.."'

export const actions: readonly AgentAction[] = [
  { title: 'Clean', script: 'echo x > junk; git clean -qfdx; git worktree prune', warnings: [] },
  {
    title: 'Remove the folder',
    script: 'at=$PWD; cd /; rm -rf "$at"',
    warnings: ['is gone'],
  },
  {
    title: 'Remove the worktree',
    script: `at=$PWD; ${toMain}; git worktree remove --force "$at"`,
    warnings: ['is gone'],
  },
  {
    title: 'Leave the branch',
    script: 'git switch -q --detach; save away',
    warnings: ['1 commit is on no branch'],
    refusal: { code: 'branch_conflict', words: 'keep them with git branch' },
  },
  {
    title: 'Delete the branch',
    script:
      'branch=$(git branch --show-current); git switch -q --detach; git branch -q -D "$branch"',
    warnings: ['restores it'],
    refusal: { code: 'branch_gone', words: 'restore it with git branch' },
  },
  { title: 'Go back', script: 'git reset -q --hard HEAD~2', warnings: [] },
]

const agentOf = (actions: readonly AgentAction[]) => `
save() { echo "$1" > "$1.txt"; git add .; git -c user.name=A -c user.email=a@example.com commit -q -m "$1"; }
test -e first.txt && exit
branch=$(git branch --show-current)
save first
case "$branch" in
${actions.map(({ title, script }) => `${slugOf(title)}-7) ${script} ;;`).join('\n')}
esac`

function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

/** What the service knows of the mission after its run. */
function recordedOf({ service }: RunnerWorld, id: string) {
  const of = (route: string) => service.calls(route).filter(({ body }) => body['id'] === id)
  const exits = of('reportExited')
  expect(exits).toHaveLength(1)
  const exit = exits[0]?.body as { headSha?: string; warnings?: string[] } | undefined
  const { headSha, warnings } = exit ?? {}
  const [prepared] = of('reportLaunching').flatMap(({ body }) => body['prepared'] ?? [])
  // the service checks each body against its contract
  const { branch, startSha, baseSha } = prepared as Prepared
  const lastSha = headSha ?? baseSha ?? ''
  const known = { branch: branch ?? '', startSha: startSha ?? '', lastSha }
  return { warnings, recorded: { ...known, runnerId: thisRunner, runnerLabel: 'laptop' } }
}

/** Each run of a mission of its own, all at once, and then the next run of that mission. */
export function eachEndsOnce(actions: readonly AgentAction[]): void {
  test(
    'whatever agents do to their worktrees, each run ends once and the next one starts or says why not',
    {
      timeout: 180_000,
    },
    async () => {
      await using world = await openRunnerWorld(agentOf(actions))
      const { checkout, service } = world
      commit(checkout, 'second.txt')
      writeFileSync(join(checkout, 'README.md'), 'half a thought')
      writeFileSync(join(checkout, 'mine.txt'), 'mine')
      const status = () => gitIn(checkout, 'status', '--porcelain', '--branch')
      const before = status()
      const start = world.queue({ title: actions[0]?.title ?? '' })
      const { id: projectId } = start.project
      const queued = actions.map(({ title }, at) =>
        at === 0 ? start : world.queue({ projectId, title }),
      )
      await world.start({ max: actions.length })
      await service.called('reportExited', actions.length)

      const refused: object[] = []
      for (const [at, { title, warnings, refusal }] of actions.entries()) {
        const { executionRequest, mission } = queued[at] ?? start
        const recordedRun = recordedOf(world, executionRequest.id)
        expect([title, recordedRun.warnings ?? []]).toEqual([
          title,
          warnings.map((words) => expect.stringContaining(words)),
        ])
        const { recorded } = recordedRun
        const activeBranch = recorded.branch
        const branches = { mission: recorded }
        const next = world.queue({
          projectId,
          missionId: mission.id,
          title,
          activeBranch,
          branches,
        })
        if (refusal === undefined) continue
        const { code, words } = refusal
        const { id } = next.executionRequest
        refused.push({ id, code, message: expect.stringContaining(words) })
      }
      await service.called('reportExited', 2 * actions.length - refused.length)
      await service.called('reportFailed', refused.length)
      const failed = service.calls('reportFailed').map(({ body }) => body)
      expect(failed).toHaveLength(refused.length)
      expect(failed).toEqual(
        expect.arrayContaining(refused.map((one) => expect.objectContaining(one))),
      )
      expect(service.calls('reportReleased')).toEqual([])
      expect(status()).toBe(before)
    },
  )
}
