import type { Project } from '@svc/contracts/project'
import { expect, test } from 'vitest'
import { describePart, projectChanges, projectTexts } from './project-texts.ts'

const project: Project = {
  id: 'p',
  slug: 'web',
  name: 'Web',
  defaultBranch: 'main',
  useWorktrees: true,
  maxRuntimeMinutes: 90,
  revision: 4,
  createdAt: '2026-01-01T00:00:00Z',
}
const texts = projectTexts(project)

test('what is changed of a project is sent, and nothing else', () => {
  expect(projectChanges(texts, [])).toEqual({ changes: {}, problems: new Map() })
  const written = { ...texts, name: ' Shop ', useWorktrees: 'checkout', maxRuntimeMinutes: '' }
  const { changes } = projectChanges(written, ['name', 'useWorktrees', 'maxRuntimeMinutes'])
  expect(changes).toEqual({ name: 'Shop', useWorktrees: false, maxRuntimeMinutes: null })
  expect(describePart('maxRuntimeMinutes', '')).toBe('as long as it takes')
})

test('a limit that is no number is said to be none, and is not taken for no limit', () => {
  const { problems } = projectChanges({ ...texts, maxRuntimeMinutes: '1h' }, ['maxRuntimeMinutes'])
  expect([...problems.keys()]).toEqual(['maxRuntimeMinutes'])
})
