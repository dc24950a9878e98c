import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { openRunnerWorld } from './runner-world.ts'

export const stubborn = `trap '' INT TERM; (setsid sleep 600 &); echo busy; sleep 600; sleep 600`

/** A world in which a run with these commands was claimed, and is trusted. */
export async function openWorld(
  preLaunchCommands: string[],
  launchEnvVars: Record<string, string> = {},
  useWorktrees = true,
) {
  const world = await openRunnerWorld('echo "agent: ${KEPT-nothing kept}, $GREETING"')
  const launchSettings = { preLaunchCommands, launchEnvVars }
  const assignment = world.queue({ launchSettings, useWorktrees })
  world.trust(assignment)
  return { ...world, requestId: assignment.executionRequest.id }
}

/** Such a world when its run is over, with what the agent has printed. */
export async function openLeaving(
  agent: string,
  { commands, variables = {} }: { commands: string[]; variables?: Record<string, string> },
) {
  const world = await openRunnerWorld(`echo agent:; ${agent}`)
  const launchSettings = { preLaunchCommands: commands, launchEnvVars: variables }
  world.trust(world.queue({ launchSettings }))
  await (
    await world.start({ once: true, cliEntry: '/nowhere' })
  ).done
  const [, printed = ''] = world.service.log().split('agent:\n')
  return { ...world, printed: printed.trimEnd().split('\n') }
}

export const shellChanges = [
  ['closes what is open', 'exec 0<&- 2>&- 3>&- 4>&- 5>&- 9>&-; export B=2'],
  ['redirects its output', 'exec > elsewhere 2>&1; export B=2'],
  ['ends on its first mistake', 'set -eu; export B=2'],
  ['changes how words are split', 'IFS=0123456789/; set -- x y; set -f -C; export B=2'],
  ['lets nobody read its files', 'umask 777; export B=2'],
] as const

export function mayBeFollowed(rows: readonly (typeof shellChanges)[number][]): void {
  test.each(rows)('may be followed by others where one %s', async (_, command) => {
    await using world = await openLeaving('echo "$A$B$C"', {
      commands: ['export A=1', command, 'export C=3'],
    })
    expect(world.printed.at(-1)).toBe('123')
  })
}

export const shellEnds = [
  ['exit 0', 'export B=2; exit 0'],
  ['exec', 'export B=2; exec true'],
] as const

export function leaveNothingOfOne(rows: readonly (typeof shellEnds)[number][]): void {
  test.each(rows)(
    'leave nothing of one that ends its shell by %s, and those behind it run',
    async (_, command) => {
      await using world = await openLeaving('echo "$A${B-0}$C"', {
        commands: ['export A=1', command, 'export C=3'],
      })
      expect(world.printed.at(-1)).toBe('103')
    },
  )
}

export const failures = [
  ['set -e; false; touch canary', 1],
  ['exec sh -c "exit 4"', 4],
  ['exit 5', 5],
  ['if true; then', 2],
  ['f() { return 6; }; f', 6],
] as const

export function isNamedByItsNumber(rows: readonly (typeof failures)[number][]): void {
  test.each(rows)('is named by its number: %s', async (command, exitCode) => {
    await using world = await openWorld(['export A=1', command, 'touch canary'])
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.calls('reportFailed')[0]?.body['message']).toContain(
      `Pre-launch command 2 of 3 ended with exit code ${exitCode},`,
    )
    expect(existsSync(join(world.worktree, 'canary'))).toBe(false)
  })
}

export const ends = [
  ['a person cancels it', 'cancelled'],
  ['another run has taken its place', 'superseded'],
] as const

export function leavesNothing(rows: readonly (typeof ends)[number][]): void {
  test.each(rows)('leaves nothing of it when %s', async (_, why) => {
    await using world = await openWorld([stubborn])
    const { service, requestId } = world
    await world.start()
    await expect.poll(() => service.log()).toContain('busy')
    const directives = [{ type: 'cancel', requestId, graceSeconds: 0 }]
    const leases = [{ requestId, ok: false, reason: 'superseded' }]
    const answer = why === 'cancelled' ? { leases: [], directives } : { leases, directives: [] }
    service.answer('heartbeatRunner', () => ({
      status: 200,
      json: { ...answer, serverTime: 'now' },
    }))
    await world.reached('cleaned')
    expect(markedProcesses({ requestId, generation: 1 })).toEqual([])
    expect(service.calls('reportReleased')).toHaveLength(why === 'cancelled' ? 1 : 0)
    expect(service.calls('reportLaunched')).toEqual([])
  })
}
