import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { buildProgram } from '../program.ts'
import {
  at,
  calls,
  id,
  mission,
  objective,
  listedRun,
  request,
  routes,
  statuses,
  svc,
  useAnswers,
} from '../testing/answers.ts'
import { testCli } from '../testing/cli.ts'

useAnswers()

interface Listing {
  list: string[]
  route: string
  answer: object
  /** By what a row is called, the command that takes it, and what that asks the service for. */
  takes: [called: string, argv: string[], asked: string][]
}

const one = id('31')
const config = { model: { value: null }, reasoningEffort: { value: null } }
const queue = {
  id: one,
  projectId: mission.projectId,
  name: 'Night',
  isDefault: false,
  state: 'idle',
  entries: [
    { objectiveId: objective.id, displayId: objective.displayId, state: 'held', reason: null },
  ],
}
const deleted = { deleted: [{ ...objective, deletedAt: at, restorableUntil: at }] }
const ofObjective = (rest = '') => `/api/objectives/web%3A12.k7qd${rest}`

const listings: Listing[] = [
  {
    list: ['agents', 'list'],
    route: '/api/agents',
    answer: {
      agents: [{ key: 'codex', models: ['big'], efforts: [], runners: [], heldBy: [] }],
    },
    takes: [
      ['codex', ['launch', 'web:12.k7qd', '--agent', 'codex'], `POST ${ofObjective('/launch')}`],
    ],
  },
  {
    list: ['artifacts', 'list', 'web:12'],
    route: '/api/missions/web%3A12/artifacts?limit=50',
    answer: { artifacts: [{ id: one, type: 'note', label: 'Plan', revision: 1, updatedAt: at }] },
    takes: [
      [one, ['artifacts', 'show', 'web:12', one], 'GET /api/missions/web%3A12/artifacts?limit=200'],
    ],
  },
  {
    list: ['attachments', 'list', 'web:12.k7qd'],
    route: ofObjective('/attachments'),
    answer: { attachments: [{ id: one, name: 'a.png', mediaType: 'image/png', size: 1 }] },
    takes: [[one, ['attachments', 'delete', one], `DELETE /api/attachments/${one}`]],
  },
  {
    list: ['deliveries', 'list', 'web:12'],
    route: '/api/missions/web%3A12/deliveries?limit=50',
    answer: {
      deliveries: [
        {
          id: one,
          missionId: mission.id,
          objectiveId: objective.id,
          createdAt: at,
          summary: 'Done',
          artifacts: [],
          report: { presentation: { status: 'deterministic', markdown: '' } },
        },
      ],
    },
    takes: [
      [objective.displayId, ['deliveries', 'show', objective.displayId], `GET ${ofObjective()}`],
      [
        one,
        ['deliveries', 'show', 'web:12', one],
        'GET /api/missions/web%3A12/deliveries?limit=200',
      ],
    ],
  },
  {
    list: ['inbox', 'list'],
    route: '/api/inbox-items?limit=50&state=open',
    answer: {
      inboxItems: [{ id: one, title: 'Idea', mission: null, doneAt: null, createdAt: at }],
    },
    takes: [[one, ['inbox', 'show', one], `GET /api/inbox-items/${one}`]],
  },
  {
    list: ['missions', 'list'],
    route: '/api/missions?limit=50',
    answer: { missions: [mission] },
    takes: [['web:12', ['missions', 'show', 'web:12'], 'GET /api/missions/web%3A12/overview']],
  },
  {
    list: ['missions', 'list', '--deleted'],
    route: '/api/deleted-missions?limit=50',
    answer: { deleted: [{ ...deleted.deleted[0], displayId: 'web:12' }] },
    takes: [['web:12', ['missions', 'restore', 'web:12'], 'POST /api/missions/web%3A12/restore']],
  },
  {
    list: ['missions', 'state', 'list', 'web:12'],
    route: '/api/missions/web%3A12/shared-state',
    answer: { sharedState: [{ key: 'port', value: 4600, revision: 3, updatedAt: at }] },
    takes: [
      [
        'port',
        ['missions', 'state', 'remove', 'web:12', 'port'],
        'PUT /api/missions/web%3A12/shared-state/port',
      ],
    ],
  },
  {
    list: ['notifications', 'list'],
    route: '/api/notifications?limit=50&state=all',
    answer: {
      notifications: [
        {
          id: one,
          title: 'Told',
          next: { operation: 'listRunners', params: {} },
          readAt: null,
          createdAt: at,
        },
      ],
    },
    takes: [[one, ['notifications', 'read', one], 'POST /api/notifications/read']],
  },
  {
    list: ['objectives', 'list', 'web:12'],
    route: '/api/missions/web%3A12',
    answer: { mission, objectives: [objective] },
    takes: [
      [objective.displayId, ['objectives', 'show', objective.displayId], `GET ${ofObjective()}`],
    ],
  },
  {
    list: ['projects', 'list'],
    route: '/api/projects',
    answer: { projects: [{ slug: 'web', name: 'Web', defaultBranch: 'main' }] },
    takes: [['web', ['projects', 'show', 'web'], 'GET /api/projects/web/statuses']],
  },
  {
    list: ['projects', 'statuses', 'list', 'web'],
    route: '/api/projects/web/statuses',
    answer: { statuses },
    takes: ['In review', id('07')].map((called) => [
      called,
      ['projects', 'statuses', 'rename', 'web', called, 'Checked'],
      `PATCH /api/projects/web/statuses/${id('07')}`,
    ]),
  },
  {
    list: ['questions', 'list'],
    route: '/api/questions?limit=50&status=open',
    answer: {
      questions: [
        {
          id: one,
          displayId: objective.displayId,
          status: 'open',
          agentIdentifier: 'claude',
          question: 'Which?',
          options: [],
          answer: null,
        },
      ],
    },
    takes: [
      [one, ['questions', 'answer', one, 'Both.'], `POST /api/questions/${one}/answer`],
      [
        objective.displayId,
        ['questions', 'answer', objective.displayId, 'Both.'],
        'GET /api/questions?limit=1&objectiveId=web%3A12.k7qd&status=open',
      ],
    ],
  },
  {
    list: ['queue', 'list', 'web'],
    route: '/api/projects/web/run-queues',
    answer: { queues: [queue] },
    takes: [
      ['Night', ['queue', 'start', 'web', 'Night'], `POST /api/run-queues/${one}/start`],
      [objective.displayId, ['queue', 'retry', objective.displayId], `GET ${ofObjective()}`],
    ],
  },
  {
    list: ['runner', 'list'],
    route: '/api/runners',
    answer: { runners: [{ id: one, label: 'laptop', state: 'connected', lastHeardAt: at }] },
    takes: [one, 'laptop'].flatMap((called): Listing['takes'] => [
      [called, ['runner', 'remove', called], `DELETE /api/runners/${one}`],
      [called, ['runner', 'show', called], `GET /api/runners/${one}`],
    ]),
  },
  {
    list: ['runs', 'list'],
    route: '/api/execution-requests?limit=50',
    answer: { executionRequests: [{ ...listedRun, config, attempt: 1, runnerLabel: null }] },
    takes: [
      [request.id, ['runs', 'show', request.id], `GET /api/execution-requests/${request.id}`],
    ],
  },
  {
    list: ['applications', 'list'],
    route: '/api/connected-applications?limit=200',
    answer: {
      connectedApplications: [
        { id: one, label: 'Editor', preset: 'mission_lifecycle', expiresAt: at },
      ],
    },
    takes: [
      [one, ['applications', 'disconnect', one], `DELETE /api/connected-applications/${one}`],
    ],
  },
  {
    list: ['members', 'list'],
    route: '/api/members?limit=200',
    answer: {
      members: [{ id: one, name: 'anna', email: 'anna@example.com', role: 'member', joinedAt: at }],
    },
    takes: [one, 'anna@example.com'].flatMap((called): Listing['takes'] => [
      [called, ['members', 'remove', called], `DELETE /api/members/${one}`],
      [called, ['members', 'role', called, 'admin'], `PATCH /api/members/${one}`],
      [called, ['members', 'reset-link', called], `POST /api/members/${one}/reset-link`],
    ]),
  },
  {
    list: ['invitations', 'list'],
    route: '/api/invitations?limit=200',
    answer: {
      invitations: [
        {
          id: one,
          email: 'new@example.com',
          role: 'viewer',
          invitedBy: { id: one, name: 'anna' },
          expiresAt: at,
        },
      ],
    },
    takes: [[one, ['invitations', 'revoke', one], `DELETE /api/invitations/${one}`]],
  },
  {
    list: ['tokens', 'list', '--all'],
    route: '/api/workspace/user-tokens?limit=200',
    answer: {
      userTokens: [
        {
          id: one,
          label: 'ci',
          preset: 'runner',
          expiresAt: at,
          kind: 'minted',
          person: { email: 'anna@example.com' },
        },
      ],
    },
    takes: [
      [one, ['tokens', 'revoke', one, '--of-others'], `DELETE /api/workspace/user-tokens/${one}`],
    ],
  },
  {
    list: ['tokens', 'list'],
    route: '/api/user-tokens?limit=200',
    answer: { userTokens: [{ id: one, label: 'ci', preset: 'runner', expiresAt: at }] },
    takes: [[one, ['tokens', 'revoke', one], `DELETE /api/user-tokens/${one}`]],
  },
  {
    list: ['webhooks', 'list'],
    route: '/api/webhooks?limit=50',
    answer: {
      webhooks: [{ id: one, name: 'Chat', endpointUrl: 'x', eventTypes: [], disabledReason: null }],
    },
    takes: [[one, ['webhooks', 'show', one], `GET /api/webhooks/${one}`]],
  },
]

describe('what a listing calls its rows', () => {
  test.each(listings)('is taken by the other commands of its group: svc $list', async (listing) => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [objective] })
    routes['GET /api/execution-requests?limit=50&missionId=web%3A12'] = () => ({
      executionRequests: [],
    })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    routes[`GET ${listing.route}`] = () => listing.answer
    const { code, stdout } = await svc(...listing.list)
    expect(code).toBe(0)
    for (const [called, argv, asked] of listing.takes) {
      expect(stdout).toContain(called)
      const before = calls.length
      await svc(...argv)
      expect(calls.slice(before).map(({ route }) => route)).toContain(asked)
    }
  })

  test('is looked at for every one there is', async () => {
    const program = await buildProgram(testCli({}).cli)
    const known = new Set(listings.map(({ list }) => list.slice(0, list.indexOf('list')).join(' ')))
    // their commands work on a repository of this machine
    known.add('resource').add('branches')
    expect(groupsWithList(program, []).filter((group) => !known.has(group))).toEqual([])
  })
})

function groupsWithList(command: Command, path: string[]): string[] {
  return command.commands.flatMap((it) =>
    it.name() === 'list' ? [path.join(' ')] : groupsWithList(it, [...path, it.name()]),
  )
}
