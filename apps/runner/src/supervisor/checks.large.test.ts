import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { openChecked } from '../testing/checks.ts'
import { refusal } from '../testing/contract-service.ts'
import { stubborn } from '../testing/pre-launch.ts'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { testToken } from '../testing/runner-world.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'

describe('a check that is under way', () => {
  test('ends with its agent, and comes to nothing', async () => {
    await using world = await openChecked({ test: { command: stubborn } })
    world.want(1, 'test')
    await world.service.called('reportCheck')
    world.end()
    await world.reached('cleaned')
    expect(world.reports()).toMatchObject([{ attempt: 1 }])
    expect(world.reports()[0]?.report).toBeUndefined()
    expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
    expect(world.service.calls('reportExited')).toHaveLength(1)
  })

  test('is asked for again and again, and run once', async () => {
    await using world = await openChecked({ test: { command: 'sleep 2' } })
    const report = await world.attempt(1, 'test')
    expect(report.results).toMatchObject([{ outcome: 'passed' }])
    expect(world.reports()).toHaveLength(2)
    world.end()
    await world.reached('cleaned')
    expect(world.reports()).toHaveLength(2)
  })
})

test('a delivery that its agent left behind is checked by the supervisor, and delivered as failed where nobody can correct it', async () => {
  const call = JSON.stringify({
    operation: 'deliver',
    input: { sessionKey: 'sess_x', summary: 'Done.' },
    idempotencyKey: 'first',
    at: new Date().toISOString(),
  })
  const kept = '"$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"'
  await using world = await openChecked(
    { test: { command: 'exit 1' } },
    { agent: `mkdir -p ${kept}; echo '${call}' > ${kept}/0001.json` },
  )
  const { service } = world
  const keys = () =>
    service.calls('deliver').map(({ headers }) => String(headers['idempotency-key']))
  service.answer('deliver', () => {
    if (keys().length === 1) world.want(1, 'test')
    const isChecked = world.reports().some((one) => one.report)
    if (!isChecked) return refusal('check_running')
    return keys().at(-1) === 'first' ? refusal('check_failed', 422) : { status: 200, json: {} }
  })
  world.end()
  await world.reached('cleaned')
  const all = keys()
  expect(new Set(all.slice(0, -1))).toEqual(new Set(['first']))
  expect(all.at(-1)).not.toBe('first')
  expect(world.reports().at(-1)?.report?.results).toMatchObject([{ outcome: 'failed' }])
})

describe('the checks before a delivery', () => {
  test('run in the checkout without what speaks for the run, bound to its commit, and anew only where something has changed', async () => {
    using folder = temporaryFolder()
    const runs = join(folder.path, 'runs')
    await using world = await openChecked(
      {
        test: {
          command: `echo run >> ${runs}; pwd; env | sort; echo "$API_TOKEN"; printf 'hunter2\\033[1mhunter2\\n'`,
        },
        lint: { command: 'echo touched >> generated.txt; exit 3' },
      },
      { agent: 'env > .svc/environment', launchEnvVars: { API_TOKEN: 'hunter2hunter2' } },
    )
    const head = gitIn(world.worktree, 'rev-parse', 'HEAD')
    const report = await world.attempt(1, 'test')
    expect(report).toMatchObject({ commit: head, dirty: false, changed: false, repeated: false })
    const [result] = report.results
    const output = result?.output ?? ''
    expect(result).toMatchObject({ name: 'test', outcome: 'passed', exitCode: 0 })
    expect(output).toContain('[masked]\n')
    expect(output).not.toMatch(/hunter2|svcut_|k1\.1/)
    expect(output).not.toContain(testToken)
    const names = output.match(/^SVC_\w+/gm)
    expect(names?.toSorted()).toEqual([
      'SVC_CHECK',
      'SVC_EXECUTION_GENERATION',
      'SVC_EXECUTION_REQUEST_ID',
    ])
    expect(output).toMatch(/^TMPDIR=.*\.check$/m)
    // what it is reported with the agent was not given
    expect(world.service.calls('reportCheck')[0]?.body).toMatchObject({ leaseToken: 'k1.1' })
    expect(readFileSync(join(world.worktree, '.svc', 'environment'), 'utf8')).not.toContain('k1.1')

    expect(await world.attempt(2, 'test')).toEqual({ ...report, repeated: true })
    expect(readFileSync(runs, 'utf8')).toBe('run\n')

    writeFileSync(join(world.worktree, 'new.txt'), 'one')
    expect(await world.attempt(3, 'test')).toMatchObject({ dirty: true, repeated: false })
    appendFileSync(join(world.worktree, 'new.txt'), 'two')
    expect(await world.attempt(4, 'test')).toMatchObject({ dirty: true, repeated: false })
    expect(readFileSync(runs, 'utf8')).toBe('run\n'.repeat(3))

    const changing = {
      changed: true,
      repeated: false,
      results: [{ outcome: 'failed', exitCode: 3 }],
    }
    expect(await world.attempt(5, 'lint')).toMatchObject(changing)
    expect(await world.attempt(6, 'lint')).toMatchObject(changing)
    expect(await world.attempt(7, 'other')).toMatchObject({
      results: [{ name: 'other', outcome: 'not_run' }],
    })
    world.end()
    await world.reached('cleaned')
  })

  test('run anew where what Git ignores was installed or built since, and no more often', async () => {
    await using world = await openChecked({ test: { command: 'cat built/ready' } })
    writeFileSync(join(world.worktree, '.gitignore'), 'built/\n')
    const outcome = async (number: number) => {
      const { repeated, results } = await world.attempt(number, 'test')
      return [repeated, results[0]?.outcome]
    }
    expect(await outcome(1)).toEqual([false, 'failed'])
    expect(await outcome(2)).toEqual([true, 'failed'])
    mkdirSync(join(world.worktree, 'built'))
    writeFileSync(join(world.worktree, 'built', 'ready'), 'yes')
    expect(await outcome(3)).toEqual([false, 'passed'])
    expect(await outcome(4)).toEqual([true, 'passed'])
    rmSync(join(world.worktree, 'built', 'ready'))
    expect(await outcome(5)).toEqual([false, 'failed'])
    world.end()
    await world.reached('cleaned')
  })

  test('leave nothing behind: one that floods, leaves its group, ignores signals and does not end is ended at its time limit', async () => {
    await using world = await openChecked({
      flood: {
        command: `trap '' INT TERM; (trap '' INT TERM; setsid sleep 600 &); yes "${testToken}"`,
        timeoutSeconds: 5,
      },
      after: { command: 'echo done' },
    })
    const { results } = await world.attempt(1, 'flood', 'after')
    expect(results).toMatchObject([
      { name: 'flood', outcome: 'timed_out', exitCode: null },
      { name: 'after', outcome: 'passed', output: 'done\n' },
    ])
    expect(results[0]?.output.length).toBeLessThanOrEqual(limits.checkOutputCharacters)
    expect(results[0]?.output).toMatch(/^(?:\[masked\]\n|\[?\w*\]?\n)*\[masked\]\s*$/)
    expect(results[0]?.output).not.toContain('svcut_')
    const { requestId } = world
    for (const check of ['1.flood', '1.after']) {
      expect(markedProcesses({ requestId, generation: 1, check })).toEqual([])
    }
    // the agent itself is left alone
    expect(markedProcesses({ requestId, generation: 1 })).not.toEqual([])
    world.end()
    await world.reached('cleaned')
  })
})
