import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentNames, agentTool } from '@svc/cli/agents/agent-tools'
import { agentPrograms } from '@svc/runner/agents/rows'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Those of the names that do not occur in the file. */
function missingIn(path: string, names: readonly string[]): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return names.filter((name) => !text.includes(name))
}

test.each(['docs/agents.md', 'apps/standalone/src/next-steps.ts'])(
  '%s names every agent that a runner finds by itself',
  (path) => expect(missingIn(path, agentPrograms)).toEqual([]),
)

test('the README names every agent whose settings can be written', () => {
  const titles = agentNames.map((name) => agentTool(name).title)
  expect(missingIn('README.md', titles)).toEqual([])
})
