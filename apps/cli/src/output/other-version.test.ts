import { createServer } from 'node:http'
import { version } from '@svc/contracts/version'
import { listen } from '@svc/testing/listen'
import { expect, test } from 'vitest'
import { runCommandLine } from '../program.ts'
import { testCli } from '../testing/cli.ts'

/** The warnings of one command at a service that says that it is of that version. */
async function warningsAt(
  served: string,
  own: { repositoryRoot?: string; env?: NodeJS.ProcessEnv },
) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-svc-version': served })
    response.end(JSON.stringify({ runners: [] }))
  })
  await using listening = await listen(server)
  const { cli, stderr } = testCli({
    SVC_BACKEND_URL: listening.url,
    SVC_USER_TOKEN: 'svcut_test',
    ...own.env,
  })
  const code = await runCommandLine({ ...cli, repositoryRoot: own.repositoryRoot }, [
    'runner',
    'list',
  ])
  expect(code).toBe(0)
  return stderr.text
}

test('a service of another version is said once, with the command that helps', async () => {
  expect(await warningsAt('99.0.0', {})).toBe(
    `warning: the service is version 99.0.0, and this svc is ${version}. Install that of the service on this machine with: npm install --global svc-99.0.0.tgz\n`,
  )
  expect(await warningsAt('99.0.0', { repositoryRoot: "/opt/a person's svc/" })).toContain(
    String.raw`git -C '/opt/a person'\''s svc/' pull`,
  )
  expect(await warningsAt('0.0.1', { repositoryRoot: '/opt/svc/' })).toContain(
    'bring the service to that version',
  )
})

test('nothing is said of one that fits, nor to an agent', async () => {
  expect(await warningsAt(version.replace(/\d+$/, '99'), {})).toBe('')
  expect(await warningsAt('99.0.0', { env: { SVC_EXECUTION_REQUEST_ID: 'one' } })).toBe('')
})
