import { builtInAdapters } from '@svc/runner/agents/rows'
import type { Adapter } from '@svc/runner/agents/adapter'
import { describeExit } from './describe-run.ts'
import type { Service } from '../e2e/support/service.ts'
import { carryObjective } from './carry.ts'
import { unknownOptions } from './flags.ts'
import { openPlace } from './place.ts'
import { partsOf } from './record.ts'
import type { Recording } from './recording.ts'
import { meetRefusal } from './refused.ts'
import { firstProcess, secondProcess } from './scenario.ts'
import type { Installed } from './tools/installed.ts'

/** Drives a tool through all that is recorded of it. Throws where it does not come through. */
export async function tryTool(service: Service, installed: Installed): Promise<Recording> {
  const { tool, version } = installed
  const adapter: Adapter | undefined = builtInAdapters.find(({ key }) => key === tool.key)
  if (adapter === undefined) throw new Error(`no row knows ${tool.key}`)
  const carried = await carry(service, installed)
  const quotaWall = await refuse(service, installed, 'quotaWall')
  const signedOut = await refuse(service, installed, 'signedOut')
  return {
    agent: tool.key,
    title: tool.title,
    package: tool.package,
    version,
    on: new Date().toISOString().slice(0, 10),
    unknownOptions: await unknownOptions(installed, adapter),
    ...carried,
    quotaWall,
    signedOut,
  }
}

async function carry(service: Service, installed: Installed) {
  await using place = await openPlace(service, installed)
  const { startMs, resumedMs, memory, usage, outputs } = await carryObjective(place)
  const { key } = installed.tool
  const [first, resumed] = outputs
  return {
    figures: {
      startSeconds: rounded(startMs / 1000, 2),
      resumedSeconds: rounded(resumedMs / 1000, 2),
      agentMegabytes: rounded(memory.agent, 0),
      ownMegabytes: rounded(memory.supervisor, 0),
    },
    usage,
    first: { exitCode: 0, parts: partsOf(first, firstProcess(key, place.workingTree)) },
    resumed: { exitCode: 0, parts: partsOf(resumed, secondProcess(key, place.workingTree)) },
  }
}

async function refuse(service: Service, installed: Installed, kind: 'quotaWall' | 'signedOut') {
  const sourced = installed.tool[kind]
  await using place = await openPlace(service, installed, sourced.environment)
  const { request, output } = await meetRefusal(place, sourced)
  return {
    source: sourced.source,
    became: describeExit(request),
    exitCode: request.exit?.exitCode ?? -1,
    parts: partsOf(output, []),
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
