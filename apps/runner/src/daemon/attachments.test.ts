import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { readHolders } from '../git/checkout-holders.ts'
import { contextOf, refusal } from '../testing/contract-service.ts'
import { isPossible } from '../testing/filling-disk.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'

test(
  'a run finds the files of its objective next to its briefing, and they are gone after it',
  { tags: 'large' },
  async () => {
    await using world = await openRunnerWorld(
      'folder=$(ls -d "$(dirname "$2")"/attachments-*); cat "$folder/notes.md"; echo; grep -o "/[^ ]*notes.md" "$2"; grep -c "not on this machine" "$2"; ls "$folder" | wc -l; git status --porcelain',
    )
    const { service } = world
    // the service under test answers JSON, which are bytes like any others
    const content = JSON.stringify('read me')
    const sha256 = createHash('sha256').update(content).digest('hex')
    const attached = { mediaType: 'text/markdown', size: content.length, sha256 }
    const there = { ...attached, id: randomUUID(), name: 'notes.md' }
    const deleted = { ...attached, id: randomUUID(), name: 'deleted.md' }
    // 150 characters, and three times as many bytes
    const long = { ...attached, id: randomUUID(), name: `${'あ'.repeat(147)}.md` }
    const attachments = [there, deleted, long]
    const context = contextOf(world.queue())
    service.answer('load-context', () => ({ status: 200, json: { ...context, attachments } }))
    service.answer('getAttachment', ({ id }) =>
      id !== deleted.id ? { status: 200, json: 'read me' } : refusal('not_found', 404),
    )

    await (
      await world.start({ once: true })
    ).done

    const [text, path = '', missing, files] = service.log().trim().split('\n')
    expect([text, missing, files]).toEqual([content, expect.stringMatching(/^[1-9]/), '2'])
    expect(path).toMatch(/\/\.svc\/tmp\/attachments-[0-9a-f-]+-1\/notes\.md$/)
    expect(existsSync(dirname(path))).toBe(false)
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0 })
  },
)

test(
  'a run is over, and its checkout free, with files that cannot be removed',
  { tags: 'large' },
  async ({ skip }) => {
    skip(!isPossible, 'it needs the right to mount a disk')
    await using world = await openRunnerWorld(
      'there="$PWD/.svc/tmp/attachments-$SVC_EXECUTION_REQUEST_ID-1/there"; mkdir -p "$there"; mount -t tmpfs tmpfs "$there"; echo "$there"',
    )
    const { service } = world
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const there = service.log().trim()
    try {
      await world.reached('cleaned')
      expect(existsSync(there)).toBe(true)
      expect(readHolders(world.worktree)).toEqual([])
    } finally {
      execFileSync('umount', [there])
    }
  },
)

test('a run finds mission, events, artifacts and files in its briefing [briefing.fetches]', async () => {
  await using world = await openRunnerWorld('cat "$2"')
  const { service } = world
  const assignment = world.queue({ title: 'Greet everybody' })
  const { mission } = assignment
  const of = { missionId: mission.id, objectiveId: null, createdAt: '2026-11-01T10:00:00.000Z' }
  const actor = { name: 'Alice', role: 'admin' }
  const event = {
    ...of,
    id: randomUUID(),
    type: 'update',
    summary: 'Greeted Bob.',
    actor,
    data: {},
  }
  const label = 'Next'
  const next = {
    contentText: 'Greet Carol.',
    externalUrl: null,
    revision: 1,
    updatedAt: of.createdAt,
  }
  const artifact = { ...of, ...next, id: randomUUID(), deliveryId: null, type: 'next_steps', label }
  const json = {
    ...contextOf(assignment),
    history: [event],
    artifacts: [artifact],
    attachments: [
      { id: randomUUID(), name: 'dave.md', mediaType: 'text/plain', size: 1, sha256: 'ab' },
    ],
  }
  service.answer('load-context', () => ({ status: 200, json }))
  service.answer('getAttachment', () => refusal('not_found', 404))
  await (
    await world.start({ once: true })
  ).done
  for (const text of [mission.title, 'Greeted Bob.', 'Greet Carol.', 'dave.md']) {
    expect(service.log()).toContain(text)
  }
})

test(
  'a run whose file did not arrive as it was sent is given back',
  { tags: 'large' },
  async () => {
    await using world = await openRunnerWorld('true')
    const { service } = world
    const wrong = { id: randomUUID(), name: 'a.md', mediaType: 'text/plain', size: 1, sha256: 'ab' }
    const context = contextOf(world.queue())
    const json = { ...context, attachments: [wrong] }
    service.answer('load-context', () => ({ status: 200, json }))
    service.answer('getAttachment', () => ({ status: 200, json: 'x' }))
    await (
      await world.start({ once: true })
    ).done
    expect(service.calls('reportLaunched')).toEqual([])
    const reports = service.calls('reportReleased').map(({ body }) => body)
    expect(reports).toMatchObject([{ reason: 'network', detail: expect.stringContaining('a.md') }])
  },
)
