import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommandLine } from '../program.ts'
import { testCli } from '../testing/cli.ts'

/** Nothing listens there. */
const baseUrl = 'http://127.0.0.1:9'

async function refusalOf(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const { cli, stdout, stderr } = testCli(env)
  const code = await runCommandLine({ ...cli, repositoryRoot: "/opt/a person's svc/" }, argv)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ baseUrl, token: 'token' }), {
    mode: 0o600,
  })
  return folder
}

const start = String.raw`npm --prefix '/opt/a person'\''s svc' start`

test(
  'a service of this checkout that is not there is refused with what starts it',
  { tags: 'large' },
  async () => {
    const { code, stderr } = await refusalOf({ SVC_DATA_DIR: dataFolder() }, 'projects', 'list')
    expect(code).toBe(6)
    expect(stderr).toBe(
      `unreachable: Cannot reach ${baseUrl}: is the service running there? If not, start it with ${start}\n`,
    )
  },
)

test('the doctor says so, too', async () => {
  const home = dataFolder()
  const { stdout } = await refusalOf({ SVC_DATA_DIR: home, SVC_RUNNER_HOME: home }, 'doctor')
  expect(stdout).toContain(`${baseUrl} does not answer: ${start}`)
})

test(
  'another service that is not there is not started by a command of this checkout',
  { tags: 'large' },
  async () => {
    const other = { SVC_BACKEND_URL: baseUrl, SVC_USER_TOKEN: 'token', SVC_DATA_DIR: dataFolder() }
    const { code, stderr } = await refusalOf(other, 'projects', 'list')
    expect(code).toBe(6)
    expect(stderr).not.toContain('npm')
  },
)
