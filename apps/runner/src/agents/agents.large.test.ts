import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { discoverAgents, isSignedOut, reportAgents } from './discover.ts'
import { builtInAdapters } from './rows.ts'

test('a program that neither answers nor heeds a signal is not waited for', async () => {
  using folder = temporaryFolder()
  const home = openHome(join(folder.path, 'home'))
  const path = join(folder.path, 'codex')
  const waits = `trap '' TERM INT HUP\nwhile test -e '${path}'; do sleep 1; done`
  writeFileSync(path, `#!/bin/sh\n${waits}\n`, { mode: 0o755 })
  const env = { PATH: `${folder.path}:${process.env['PATH']}` }
  const codex = builtInAdapters.find(({ key }) => key === 'codex')
  if (codex === undefined) throw new Error('Codex is known by itself')
  const [isOut, agents] = await Promise.all([
    isSignedOut(codex, path, env),
    discoverAgents({ home, env, only: ['codex'] }),
  ])
  expect(isOut).toBe(false)
  expect(reportAgents(agents)).toEqual([{ key: 'codex', version: null, path }])
})
