import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { openChecked } from '../testing/checks.ts'
import { testToken } from '../testing/runner-world.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'

describe('the checks before a delivery', () => {
  test(
    'run in the checkout without what speaks for the run, bound to its commit, and anew only where something has changed',
    { tags: 'large' },
    async () => {
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
      expect(readFileSync(join(world.worktree, '.svc', 'environment'), 'utf8')).not.toContain(
        'k1.1',
      )

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
    },
  )

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

  test(
    'leave nothing behind: one that floods, leaves its group, ignores signals and does not end is ended at its time limit',
    { tags: 'large' },
    async () => {
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
    },
  )
})
