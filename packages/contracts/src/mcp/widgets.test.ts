import { describe, expect, test } from 'vitest'
import { describeTools } from './describe-tool.ts'
import { widgetNames, widgetUri } from './widget.ts'
import { readWidget, widgetResources } from './widgets.ts'

describe.each(widgetNames)('%s', (name) => {
  const uri = widgetUri(name)
  const { text = '', ...described } = readWidget(uri) ?? {}

  test('is pointed at by one tool, in the words of every client', () => {
    const pointing = describeTools().filter(({ _meta }) => JSON.stringify(_meta)?.includes(uri))
    expect(pointing.map(({ _meta }) => _meta)).toEqual([
      { ui: { resourceUri: uri }, 'ui/resourceUri': uri, 'openai/outputTemplate': uri },
    ])
    expect(pointing[0]?.annotations.readOnlyHint).toBe(true)
  })

  test('is a document of MCP Apps that may reach nothing', () => {
    const nothing = {
      connectDomains: [],
      resourceDomains: [],
      frameDomains: [],
      baseUriDomains: [],
    }
    expect(described).toMatchObject({
      uri,
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: { csp: nothing } },
    })
    expect(widgetResources).toContainEqual(expect.objectContaining(described))
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
  })

  test('has nothing in its source that fetches, embeds, or takes text for more than text', () => {
    const refused =
      /http|\bimport\b|\bfetch\b|\bsrc\b|href|url\(|@font|<(?:link|form|iframe|img|object|base)\b|Worker|WebSocket|XMLHttp|innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|setAttribute/
    expect(refused.exec(text)).toBeNull()
    expect(text.length).toBeLessThan(8 * 1024)
  })
})

test('no other address is a widget', () => {
  expect(readWidget('ui://svc/none.html')).toBeUndefined()
  expect(widgetResources.map(({ uri }) => uri)).toEqual(widgetNames.map(widgetUri))
})
