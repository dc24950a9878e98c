import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBareOrigin } from '@svc/testing/bare-origin'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commit, missionBranch } from '../testing/prepared.ts'
import { cloneTo } from './clone.ts'
import { pushClone } from './push-clone.ts'

/** A clone of an origin that is reached by ssh alone, on the branch of a mission. */
async function openClone() {
  const stack = new DisposableStack()
  const origin = stack.use(openBareOrigin())
  const { path: folder } = stack.use(temporaryFolder())
  const { path: scratch } = stack.use(temporaryFolder())
  vi.stubEnv('GIT_SSH_COMMAND', origin.env.GIT_SSH_COMMAND)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    stack.dispose()
  })
  const clone = join(folder, 'web')
  await cloneTo(clone, origin.url)
  gitIn(clone, 'switch', '--quiet', '--create', missionBranch)
  return {
    origin,
    clone,
    folder,
    scratch,
    push: (sha: string, replaces?: string) =>
      pushClone({ url: origin.url, clone, branch: missionBranch, sha, replaces, scratch }, {}),
    pushed: () => origin.git('rev-parse', missionBranch),
  }
}

function amend(clone: string): string {
  gitIn(clone, 'commit', '--quiet', '--amend', '-m', 'amended')
  return gitIn(clone, 'rev-parse', 'HEAD')
}

test('a commit of a clone arrives where that was cloned from, and leaves nothing behind', async () => {
  const { clone, push, pushed, scratch } = await openClone()
  const sha = commit(clone, 'first.txt')
  expect(await push(sha)).toBeUndefined()
  expect(pushed()).toBe(sha)
  expect(readdirSync(scratch)).toEqual([])
})

test('what an agent has written into the repository is neither started nor followed', async () => {
  const { origin, clone, folder, push, pushed } = await openClone()
  const seen = join(folder, 'seen')
  const program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch '${seen}'\n`, { mode: 0o755 })
  for (const hook of ['pre-push', 'reference-transaction']) {
    writeFileSync(join(folder, hook), `#!/bin/sh\ntouch '${seen}'\n`, { mode: 0o755 })
  }
  const sha = commit(clone, 'first.txt')
  const settings = {
    'core.hooksPath': folder,
    'core.sshCommand': program,
    'credential.helper': program,
    'remote.origin.url': join(folder, 'elsewhere.git'),
    'remote.origin.receivepack': program,
    [`url.${join(folder, 'elsewhere.git')}.insteadOf`]: origin.url,
  }
  for (const [name, value] of Object.entries(settings)) gitIn(clone, 'config', name, value)
  expect(await push(sha)).toBeUndefined()
  expect(pushed()).toBe(sha)
  expect(existsSync(seen)).toBe(false)
})

test('an amended commit takes the place of the one that the run itself has pushed, and of no other', async () => {
  const { origin, clone, push, pushed } = await openClone()
  const first = commit(clone, 'first.txt')
  await push(first)
  const second = amend(clone)
  expect(await push(second)).toContain('[rejected]')
  expect(pushed()).toBe(first)
  expect(await push(second, first)).toBeUndefined()
  expect(pushed()).toBe(second)
  const theirs = origin.git('commit-tree', '-p', second, '-m', 'theirs', `${second}^{tree}`)
  origin.git('update-ref', `refs/heads/${missionBranch}`, theirs)
  gitIn(clone, 'commit', '--quiet', '--amend', '-m', 'again')
  expect(await push(gitIn(clone, 'rev-parse', 'HEAD'), second)).toContain('[rejected]')
  expect(pushed()).toBe(theirs)
})

test('what origin refuses is reported in its words', async () => {
  const { origin, clone, push } = await openClone()
  origin.refuse('not on Fridays')
  const said = await push(commit(clone, 'first.txt'))
  expect(said).toContain(`Branch ${missionBranch} could not be pushed: remote: not on Fridays`)
})
