import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cloned, commit, repository } from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import { askOrigin } from './origin.ts'

test('a branch that is new at origin is known to all who ask for it at once', async () => {
  using origin = repository()
  using clone = cloned(origin.path)
  gitIn(origin.path, 'switch', '--quiet', '--create', 'new')
  const sha = commit(origin.path, 'new.txt')
  const hook = join(clone.path, '.git', 'hooks', 'reference-transaction')
  // who waits for a reference that is being written gives up sooner
  writeFileSync(hook, '#!/bin/sh\n[ "$1" != prepared ] || sleep 1\n', { mode: 0o755 })
  const asked = [1, 2, 3].map(() => askOrigin(clone.path, 'new', {}))
  const reached = { state: 'reached', sha }
  expect(await Promise.all(asked)).toEqual([reached, reached, reached])
})
