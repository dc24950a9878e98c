import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchVariables } from '@svc/contracts/launch-environment'
import { describe, expect, test } from 'vitest'
import { linkCheckout } from '../files/resources.ts'
import { markedProcesses } from '../processes/find-processes.ts'
import { readJournal } from '../run/journal.ts'
import { openLeaving, openWorld } from '../testing/pre-launch.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'

describe('the commands before an agent', () => {
  test('run in turn in one shell where the agent starts and with its variables, and pass on what they export [runner.pre-launch-commands] [runner.export-first] [env.launchEnvVars] [env.launchEnvVars.placeholders] [placeholder.before-export] [placeholder.user-vars-by-shell]', async () => {
    await using world = await openWorld(
      [
        'echo "$PWD, $GREETING, $SVC_OBJECTIVE_ID, {GREETING}"; export KEPT=1',
        'echo "${KEPT-nothing kept}"',
      ],
      { GREETING: 'hello {SVC_OBJECTIVE_ID}' },
    )
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.log()).toBe(
      [
        '[Pre-launch command 1 of 2]',
        `${world.worktree}, hello web:7.k7qd, web:7.k7qd, {GREETING}`,
        '[Pre-launch command 2 of 2]',
        '1',
        'agent: 1, hello web:7.k7qd',
        '',
      ].join('\n'),
    )
    const steps = readJournal(await world.reached('cleaned'))
    const commands = steps.filter(({ step }) => step === 'command')
    expect(commands).toMatchObject([{ index: 0 }])
  })

  test(
    'leave the agent their variables, byte for byte, and it starts in its own folder all the same',
    { tags: 'large' },
    async () => {
      await using world = await openLeaving(
        'printf "%s\\n" "cwd $(pwd)" "$LINES_OF" "$TOOL" "${GONE-gone}"; tool-of-venv; command -v svc > /dev/null && echo "has svc"',
        {
          commands: [
            'mkdir -p venv/bin && echo "echo tool of venv" > venv/bin/tool-of-venv && chmod +x venv/bin/tool-of-venv',
            `cat > activate <<'END'\ndeactivate() { :; }\nuse() { TOOL="used $1"; export TOOL; }\nPATH="$PWD/venv/bin:/usr/bin:/bin"; export PATH\nEND\n. ./activate`,
            'cd venv',
            'use it; export LINES_OF=\'one\ntwo = "2"\n\'; unset GONE',
            'test "$(basename "$PWD")" = venv',
          ],
          variables: { GONE: 'still here' },
        },
      )
      expect(world.printed).toEqual([
        `cwd ${world.worktree}`,
        'one',
        'two = "2"',
        '',
        'used it',
        'gone',
        'tool of venv',
        'has svc',
      ])
    },
  )

  test('have what they export under the name of a secret masked', { tags: 'large' }, async () => {
    await using world = await openLeaving('echo "agent has $API_KEY"; echo "$API_KEY" > kept', {
      commands: ['export API_KEY=hush-$(echo hush)-hush', 'echo "key is $API_KEY"'],
    })
    expect(world.service.log()).toContain('key is [masked]')
    expect(world.service.log()).toContain('agent has [masked]')
    expect(world.service.changes().patch).toContain('+[masked]')
    expect(existsSync(join(await world.reached('cleaned'), 'pre-launch'))).toBe(false)
  })

  test('are filled in byte for byte where a folder has a hostile name [placeholder.pre-launch-commands] [placeholder.once] [placeholder.unknown-verbatim]', async () => {
    const name = `-x it's "q" $(touch canary) \`touch canary\`; touch canary\n{SVC_TMPDIR} ä😀 *`
    const command = String.raw`printf '%s\0' {SVC_WORKING_DIRECTORY} "a{SVC_WORKING_DIRECTORY}" 'b{SVC_WORKING_DIRECTORY}' {UNKNOWN} > seen`
    await using world = await openWorld([command], {}, false)
    using folder = temporaryFolder()
    const path = join(folder.path, name)
    mkdirSync(path)
    createRepository(path)
    const { projectId } = JSON.parse(readFileSync(world.home.resourcesFile, 'utf8'))[0]
    linkCheckout(world.home, { projectId, projectSlug: 'web', resourceKey: 'web', path })
    await (
      await world.start({ once: true })
    ).done
    expect(readFileSync(join(path, 'seen'), 'utf8').split('\0')).toEqual([
      path,
      `a${path}`,
      `b${path}`,
      '{UNKNOWN}',
      '',
    ])
    for (const at of [path, folder.path]) expect(existsSync(join(at, 'canary'))).toBe(false)
  })

  test('know by their placeholders all that the agent knows by its variables [placeholder.plan-build] [placeholder.catalog]', async () => {
    const names = Object.keys(launchVariables).filter((name) => !name.endsWith('RESOURCES_PATHS'))
    await using world = await openWorld([
      ...names.map((name) => `test {${name}} = "$${name}" && echo {${name}} >> same`),
      'for path in {SVC_PROJECT_RESOURCES_PATHS}; do echo "$path" >> paths; done',
    ])
    await (
      await world.start({ once: true })
    ).done
    const same = readFileSync(join(world.worktree, 'same'), 'utf8').trim().split('\n')
    expect(same).toHaveLength(names.length)
    expect(same).toContain(world.worktree)
    const path = `${world.worktree}:rw`
    expect(same).toContain(path)
    expect(readFileSync(join(world.worktree, 'paths'), 'utf8')).toBe(`${path}\n`)
  })

  test('begin on a branch whose name is taken as it is written [placeholder.not-at-branch]', async () => {
    await using world = await openRunnerWorld('true')
    const { service, checkout } = world
    gitIn(checkout, 'branch', '{MISSION_ID}')
    world.queue({ defaultBranch: '{MISSION_ID}', title: 'About {MISSION_ID}' })
    await (
      await world.start({ once: true })
    ).done
    expect(service.calls('reportLaunching')[1]?.body['prepared']).toMatchObject({
      branch: 'about-mission-id-7',
      startSha: gitIn(checkout, 'rev-parse', '{MISSION_ID}'),
    })
  })
})

describe('a command that fails', () => {
  test(
    'ends the launch, and names which it was, its exit code and its last lines without secrets',
    { tags: 'large' },
    async () => {
      await using world = await openWorld(
        [
          'sleep 600 > /dev/null 2>&1 &',
          'echo first; echo "key is $API_KEY" >&2; (exit 3)',
          'touch canary',
        ],
        { API_KEY: 'hush-hush-hush' },
      )
      await (
        await world.start({ once: true })
      ).done
      const { code, phase, message } = world.service.calls('reportFailed')[0]?.body ?? {}
      expect({ code, phase }).toEqual({ code: 'pre_command_failed', phase: 'pre_launch' })
      expect(message).toContain('Pre-launch command 2 of 3 ended with exit code 3')
      expect(message).toContain('key is [masked]')
      expect(world.service.log()).toContain('first\n')
      expect(world.service.log()).toContain('key is [masked]\n')
      expect(existsSync(join(world.worktree, 'canary'))).toBe(false)
      expect(world.service.calls('reportLaunched')).toEqual([])
      expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
    },
  )
})
