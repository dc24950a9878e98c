import { expect, test } from 'vitest'
import { builtInAdapters } from '../agents/rows.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { planLaunch } from './launch-plan.ts'

const contextFile = '/w/.svc/tmp/briefing.md'

/** The first message of a run that goes on with a conversation of its agent. */
function messageOf(source: 'answer' | 'api'): string | undefined {
  const assignment = makeAssignment({ agent: 'claude' })
  const [, adapter] = builtInAdapters
  const order = {
    assignment: {
      ...assignment,
      executionRequest: { ...assignment.executionRequest, source },
      resume: { externalSessionId: 'conversation-1', prepared: null },
    },
    agent: { adapter, command: ['claude'] },
    agentToken: null,
    checkouts: {},
    maxRights: 'all' as const,
    home: '/home/p/.svc/runner',
    serviceUrl: 'http://127.0.0.1:4600',
  }
  const ready = {
    tmpDirectory: '/w/.svc/tmp/p',
    contextFile,
    briefing: '# A briefing',
    gitFolder: '/w/.git',
    otherGitFolders: [],
    prepared: { workingDirectory: '/w', others: [] },
    context: { projectResources: [], questions: [] },
  }
  return planLaunch(order, ready, {}, 'unused').arguments.at(-1)
}

test('an agent whose question was answered is sent to its attach for the answer, which is whole there alone', () => {
  const message = messageOf('answer')
  expect(message).toContain('what attach replies has the whole answer in `pendingAnswers`')
  expect(message).not.toContain(`in ${contextFile}`)
  expect(messageOf('api')).not.toContain('pendingAnswers')
})
