import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cloned, commit, repository } from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import { askOrigin } from './origin.ts'
import { resolveBase } from './refs.ts'

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

test('what is fetched for a run leaves what its person has fetched last as it is', async () => {
  using origin = repository()
  using clone = cloned(origin.path)
  gitIn(origin.path, 'branch', 'of-a-colleague')
  gitIn(clone.path, 'fetch', '--quiet', 'origin', 'of-a-colleague')
  const fetchHead = () => readFileSync(join(clone.path, '.git', 'FETCH_HEAD'), 'utf8')
  const fetched = fetchHead()
  expect(fetched).toContain('of-a-colleague')
  const sha = commit(origin.path, 'new.txt')
  expect(await resolveBase(clone.path, 'main')).toEqual({ sha, isFetched: true })
  gitIn(origin.path, 'branch', 'new')
  expect(await askOrigin(clone.path, 'new', {})).toEqual({ state: 'reached', sha })
  expect(fetchHead()).toBe(fetched)
})
