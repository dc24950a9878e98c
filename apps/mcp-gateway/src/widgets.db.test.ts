import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import type { ToolName } from '@svc/contracts/mcp/tools'
import { readWidget } from '@svc/contracts/mcp/widgets'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { clientKinds, connect, test as base } from './testing/gateway.ts'
import type { McpClient } from './testing/mcp-client.ts'
import { hostileResults, payloads } from './testing/hostile-results.ts'
import { type ShownWidget, openWidgetHost } from './testing/widget-host.ts'

const test = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
  .extend('host', { scope: 'file' }, async ({}, { onCleanup }) => {
    const host = await openWidgetHost()
    onCleanup(() => host[Symbol.asyncDispose]())
    return host
  })
  /** One result of each tool that has a widget, and a text that stands in it. */
  .extend('results', { scope: 'file' }, async ({ world, gateway }) => {
    const { project, mission } = await world.missionWith(['Add a switch', 'Write it down'])
    const [first] = mission.objectives
    const agent = world.agentOf(world.alice, { objectiveId: first.displayId })
    await agent.attach()
    await agent.deliver({ summary: 'The switch is there.', changeRationales: [rationale] })
    await using client = await connect('legacy', gateway.url, world.alice.token)
    const missionId = mission.displayId
    return {
      svc_resolve_project: await client.callTool('svc_resolve_project', { query: project.slug }),
      svc_search_missions: await client.callTool('svc_search_missions', { projectId: project.id }),
      svc_load_mission_context: await client.callTool('svc_load_mission_context', { missionId }),
      svc_list_deliveries: await client.callTool('svc_list_deliveries', { missionId }),
      texts: {
        svc_resolve_project: project.name,
        svc_search_missions: mission.title,
        svc_load_mission_context: 'Write it down',
        svc_list_deliveries: 'The switch is there.',
      },
    }
  })

const rationale = {
  filePath: 'src/switch.ts',
  label: 'The switch',
  summary: 'Adds it.',
  why: 'It was asked for.',
  impact: 'None.',
}

const pointed = [
  ['svc_resolve_project', 'ui://svc/project-selector.html'],
  ['svc_search_missions', 'ui://svc/mission-list.html'],
  ['svc_load_mission_context', 'ui://svc/objective-viewer.html'],
  ['svc_list_deliveries', 'ui://svc/file-changes.html'],
] as const

const html = (uri: string) => readWidget(uri)?.text ?? ''
const missionList = html('ui://svc/mission-list.html')

describe.each(clientKinds)('a %s client', (kind) => {
  test(
    verifies(
      [
        'widget.project-selector',
        'widget.mission-list',
        'widget.objective-viewer',
        'widget.file-changes',
      ],
      'finds four widgets, reads each, and no other',
    ),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const uris = pointed.map(([, uri]) => uri)
      expect(await client.listResources()).toMatchObject(uris.map((uri) => ({ uri })))
      for (const uri of uris) expect(await client.readResource(uri)).toEqual([readWidget(uri)])
      await expect(client.readResource('ui://svc/none.html')).rejects.toThrow('Resource not found')
    },
  )
})

const shows: Record<(typeof pointed)[number][0], string[]> = {
  svc_resolve_project: ['widget.on-project-resolution'],
  svc_search_missions: ['widget.on-mission-search'],
  svc_load_mission_context: ['widget.on-mission-context'],
  svc_list_deliveries: ['widget.on-deliveries'],
}

describe.each(pointed)('the result of %s', (name, uri) => {
  test(
    verifies(
      [...shows[name], 'widget.html-resource', 'tool.read-tools-point-at-widgets'],
      `is shown by ${uri} in a client that has learnt of it from the server`,
    ),
    async ({ world, gateway, host, results }) => {
      await using client = await connect('legacy', gateway.url, world.alice.token)
      await using shown = await host.show(await widgetOf(client, name))
      await shown.give(results[name])
      await shown.settled()
      expect((await shown.drawing()).text).toContain(results.texts[name])
      expect(await shown.seen()).toEqual({ violations: [], ran: 0 })
    },
  )

  test(
    verifies(
      ['widget.structured-content-only', 'widget.no-network', 'widget.no-iframe'],
      `is only text to ${uri}, whatever stands in it`,
    ),
    async ({ host, results }) => {
      await using shown = await host.show(html(uri))
      const hostile = hostileResults(results[name], 110)
      const drawings = await shown.giveAll(
        hostile.map(({ structuredContent }) => ({
          content: [{ type: 'text', text: 'next to it' }],
          structuredContent,
        })),
      )
      expect(drawings).toHaveLength(hostile.length)
      expect(drawings.filter(({ strangers }) => strangers.length > 0)).toEqual([])
      expect(drawings.filter(({ text }) => text.includes('next to it'))).toEqual([])
      for (const [index, { text = '' }] of hostile.entries()) {
        expect(drawings[index]?.text).toContain(text)
      }
      expect(await shown.seen()).toEqual({ violations: [], ran: 0 })
      expect(host.hits).toEqual([])
    },
  )
})

/** As a client finds it: by what the list of tools says. */
async function widgetOf(client: McpClient, name: ToolName): Promise<string> {
  const tool = (await client.listTools()).find((it) => it.name === name)
  const [contents] = await client.readResource(String(tool?._meta?.['ui/resourceUri']))
  return (contents as { text: string }).text // a widget is text
}

describe('what is seen of a widget', () => {
  const states: [string, (shown: ShownWidget) => Promise<void>, string][] = [
    ['has begun', ({ bridge }) => bridge.sendToolInput({ arguments: {} }), 'Looking'],
    ['is cancelled', ({ bridge }) => bridge.sendToolCancelled({ reason: 'x' }), 'Cancelled'],
    ['has failed', ({ give }) => give(failed), 'did not work'],
    ['has found nothing', ({ give }) => give(resultOf({ missions: [] })), 'No mission fits'],
    ['has another shape', ({ give }) => give(resultOf({ missions: 7 })), 'cannot be shown'],
    ['has no structured content', ({ give }) => give({ content: [] }), 'cannot be shown'],
    ['has many rows', ({ give }) => give(resultOf({ missions: missions(60) })), 'and 10 more'],
  ]

  test.for(states)('a call that %s', { tags: 'large' }, async ([, send, words], { host }) => {
    await using shown = await host.show(missionList)
    await expect.poll(async () => (await shown.drawing()).text).toContain('Waiting')
    await shown.give(resultOf({ missions: missions(1) }))
    await send(shown)
    await shown.settled()
    expect((await shown.drawing()).text).toContain(words)
  })

  test(
    'it wears the colours of its host, also when they change',
    { tags: 'large' },
    async ({ host }) => {
      const variables = { '--color-background-primary': 'rgb(1, 2, 3)' }
      const ground = 'getComputedStyle(document.body).backgroundColor'
      await using shown = await host.show(missionList, { theme: 'dark' })
      await shown.give(resultOf({ missions: missions(1) }))
      await shown.settled()
      expect(await shown.evaluate('document.documentElement.style.colorScheme')).toBe('dark')
      expect(await shown.evaluate(ground)).toBe('rgb(27, 29, 33)')
      // some of the names that a host may set
      await shown.bridge.sendHostContextChange({
        theme: 'light',
        styles: { variables: variables as never },
      })
      await shown.settled()
      expect(await shown.evaluate('document.documentElement.style.colorScheme')).toBe('light')
      expect(await shown.evaluate(ground)).toBe('rgb(1, 2, 3)')
    },
  )

  test('it reports its height', { tags: 'large' }, async ({ host }) => {
    await using shown = await host.show(missionList)
    const heights: unknown[] = []
    shown.bridge.addEventListener('sizechange', ({ height }) => heights.push(height))
    await shown.give(resultOf({ missions: missions(30) }))
    const actual = 'Math.ceil(document.body.getBoundingClientRect().height)'
    await expect.poll(async () => heights.at(-1) === (await shown.evaluate(actual))).toBe(true)
    await expect.poll(() => Number(heights.at(-1))).toBeGreaterThan(600)
  })

  test(
    'outside of a frame it says what it is for, and takes what another host has put there',
    { tags: 'large' },
    async ({ host }) => {
      expect(await host.open(missionList)).toContain('an agent client shows results')
      const openai = { toolOutput: { missions: missions(1) }, theme: 'dark' }
      const given = `<script>window.openai = ${JSON.stringify(openai)}</script>${missionList}`
      expect(await host.open(given)).toContain('Mission 1')
    },
  )

  test(
    'it hears its host alone, and refuses what it does not know',
    { tags: 'large' },
    async ({ host }) => {
      await using shown = await host.show(missionList)
      await shown.give(resultOf({ missions: [] }))
      const result = {
        method: 'ui/notifications/tool-result',
        params: resultOf({ missions: missions(1) }),
      }
      await shown.evaluate(
        `window.postMessage(${JSON.stringify({ jsonrpc: '2.0', ...result })}, '*')`,
      )
      await shown.settled()
      expect((await shown.drawing()).text).toContain('No mission fits')
      const refused = shown.bridge.request(
        { method: 'sampling/createMessage' } as never,
        undefined as never,
      )
      await expect(refused).rejects.toMatchObject({ code: -32601 })
    },
  )
})

describe('what would be noticed', { tags: 'large' }, () => {
  test('a widget that does not greet its host is given nothing', async ({ host }) => {
    await using shown = await host.show(missionList.replace('ui/initialize', 'ui/nothing'))
    await expect.poll(async () => (await shown.drawing()).text).toContain('Waiting')
    void shown.give(resultOf({ missions: missions(1) }))
    await shown.settled()
    expect((await shown.drawing()).text).toContain('Waiting')
  })

  test('a widget that takes text for markup asks for what it names and runs what it says', async ({
    host,
    results,
  }) => {
    const leaky = missionList.replace('part.append(String(child))', 'part.innerHTML += child')
    expect(leaky).not.toBe(missionList)
    await using shown = await host.show(leaky)
    const hostile = hostileResults(results.svc_search_missions, payloads.length)
    const drawings = await shown.giveAll(
      hostile.map(({ structuredContent }) => ({ content: [], structuredContent })),
    )
    expect(drawings.flatMap(({ strangers }) => strangers)).toContain('IMG')
    await expect.poll(async () => (await shown.seen()).violations).toContain('img-src')
    await expect.poll(async () => (await shown.seen()).ran).toBeGreaterThan(0)
    expect(host.hits).toEqual([])
  })
})

const failed: ToolResult = { content: [{ type: 'text', text: 'no' }], isError: true }

function resultOf(structuredContent: Record<string, unknown>): ToolResult {
  return { content: [], structuredContent }
}

function missions(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    displayId: `demo:${index + 1}`,
    title: `Mission ${index + 1}`,
    priority: 'normal',
    status: { label: 'In progress' },
    updatedAt: '2026-11-22T10:00:00.000Z',
  }))
}
