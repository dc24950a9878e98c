import type { PreviewedLaunch } from '@svc/contracts/previewed-launch'
import type { RouteOutput } from '@svc/contracts/rest'
import { describeChange } from './launch-settings-change.ts'
import { oneLine } from './terminal.ts'

/** What a launch would be made with before a change and after it. */
export function describePreview(
  { before, after }: RouteOutput<'previewLaunchSettings'>,
  project: string,
): string {
  const [had, has] = [factsOf(before), factsOf(after)]
  const facts = has.map(([name, value], at) => {
    const older = had[at]?.[1] ?? value
    return `${name}: ${older === value ? value : `${older}, then ${value}`}`
  })
  return [
    `A launch with ${oneLine(after.config.agent.value)}, of an objective that chooses nothing itself:`,
    ...facts.map((line) => `  ${oneLine(line)}`),
    '',
    describeChange(after.launchSettings, before.launchSettings),
    ...(after.needsTrust
      ? [`\nA runner refuses it until its machine trusts this: svc runner trust ${project}`]
      : []),
  ].join('\n')
}

function factsOf({ config, rights }: PreviewedLaunch): [name: string, value: string][] {
  return [
    ['model', config.model.value ?? 'the agent’s own'],
    ['effort', config.reasoningEffort.value ?? 'the agent’s own'],
    ['rights', rights.value],
  ]
}
