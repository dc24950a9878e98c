import { version } from '../version.ts'
import type { ToolName, ToolOutput, toolContracts } from './tools.ts'
import { type Widget, type WidgetName, widgetNames, widgetUri } from './widget.ts'
import { fileChanges } from './widgets/file-changes.ts'
import { missionList } from './widgets/mission-list.ts'
import { objectiveViewer } from './widgets/objective-viewer.ts'
import { projectSelector } from './widgets/project-selector.ts'
import { sharedScript } from './widgets/script.ts'
import { style } from './widgets/style.ts'

type Contracts = typeof toolContracts
type ToolsWith<Name extends WidgetName> = {
  [T in ToolName]: Contracts[T] extends { widget: Name } ? T : never
}[ToolName]

/** Each draws what its tool answers. spec: Widgets */
const widgets: { [Name in WidgetName]: Widget<ToolOutput<ToolsWith<Name>>> } = {
  'project-selector': projectSelector,
  'mission-list': missionList,
  'objective-viewer': objectiveViewer,
  'file-changes': fileChanges,
}

const mimeType = 'text/html;profile=mcp-app'
/** Nothing may be reached. Said and not left out: some hosts take an absent list for an unfinished widget. */
const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
const _meta = { ui: { csp, prefersBorder: true } }

/** What a server says of itself that has them. */
export const widgetCapabilities = {
  resources: {},
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } },
}

/** The entries of `resources/list`. */
export const widgetResources = widgetNames.map((name) => ({
  uri: widgetUri(name),
  name,
  title: widgets[name].title,
  description: widgets[name].description,
  mimeType,
  _meta,
}))

const documents = new Map(widgetNames.map((name) => [widgetUri(name), htmlOf(widgets[name])]))

/** What `resources/read` gives for an address; nothing where there is no such widget. */
export function readWidget(uri: string) {
  const text = documents.get(uri)
  return text === undefined ? undefined : { uri, mimeType, text, _meta }
}

/** One document that needs nothing else. What varies is in its view and its words. */
function htmlOf({ title, empty, view }: Pick<Widget<never>, 'title' | 'empty' | 'view'>): string {
  const words = JSON.stringify({ title, empty, version })
  const script = `(() => {
const { view } = { ${String(view)} }
${sharedScript}
start(view, ${words})
})()`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<body>
<script>${withoutGaps(script)}</script>
`
}

/** Type stripping leaves spaces in place of types: they are taken out. */
function withoutGaps(script: string): string {
  return script.replaceAll(/ {2,}/g, ' ').replaceAll(/ (?=[,;)\n])/g, '')
}
