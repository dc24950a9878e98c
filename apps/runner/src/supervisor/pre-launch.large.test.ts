import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { findStep, readJournal } from '../run/journal.ts'
import {
  openLeaving,
  openWorld,
  shellChanges,
  mayBeFollowed,
  shellEnds,
  leaveNothingOfOne,
  failures,
  isNamedByItsNumber,
  ends,
  leavesNothing,
  stubborn,
} from '../testing/pre-launch.ts'

describe('the commands before an agent', () => {
  test('change no names of the service, and nothing of what a loader reads', async () => {
    await using world = await openLeaving(
      'echo "$SVC_OBJECTIVE_ID, ${LD_PRELOAD-none}, ${SVC_MINE-none}, ${DYLD_X-none}, $(test "$TMPDIR" = "$SVC_TMPDIR" && echo same)"',
      {
        commands: [
          'export SVC_OBJECTIVE_ID=x SVC_MINE=y DYLD_X=z TMPDIR=/elsewhere',
          'LD_PRELOAD=; export LD_PRELOAD',
        ],
      },
    )
    expect(world.printed).toEqual(['web:7.k7qd, none, none, none, same'])
  })

  mayBeFollowed(shellChanges)

  leaveNothingOfOne(shellEnds)

  test('leave running what they put into the background, until the run ends', async () => {
    await using world = await openWorld(['sleep 600 & echo $! > pid', 'kill -0 $(cat pid)'])
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0 })
    expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
  })
})

describe('a command that fails', () => {
  test('by taking longer than all of them may is ended with all that it started', async () => {
    await using world = await openWorld(['true', stubborn])
    const timing = { interruptSeconds: 0.3, terminateSeconds: 0.3, preLaunchSeconds: 2 }
    await (
      await world.start({ once: true, timing })
    ).done
    expect(world.service.calls('reportFailed')[0]?.body).toMatchObject({
      code: 'pre_command_timeout',
      phase: 'pre_launch',
    })
    expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
  })

  isNamedByItsNumber(failures)
})

describe('a run that ends while a command runs', () => {
  leavesNothing(ends)

  test('leaves nothing of it when its supervisor is lost, and is given back', async () => {
    const nameless = `trap '' INT TERM; env -i sleep 600 & echo $! > pid; echo busy; wait; wait`
    await using world = await openWorld([nameless])
    await world.start()
    await expect.poll(() => world.service.log()).toContain('busy')
    const folder = await world.reached('command')
    process.kill(findStep(readJournal(folder), 'supervisor')!.pid, 'SIGKILL')
    const { body } = await world.service.called('reportReleased')
    expect(body).toMatchObject({ reason: 'supervisor_lost' })
    expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
    const pid = Number(readFileSync(join(world.worktree, 'pid'), 'utf8'))
    expect(readProcess(pid)).toBeUndefined()
  })
})
