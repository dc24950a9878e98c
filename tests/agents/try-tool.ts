import { builtInAdapters } from '@svc/runner/agents/rows'
import type { Adapter } from '@svc/runner/agents/adapter'
import { describeExit } from './describe-run.ts'
import { carryObjective } from './carry.ts'
import { unknownOptions } from './flags.ts'
import { type Stage, openPlace } from './place.ts'
import { partsOf } from './record.ts'
import type { Recording, Refused } from './recording.ts'
import { meetRefusal } from './refused.ts'
import { firstProcess, secondProcess } from './scenario.ts'
import type { Installed, Printed } from './tools/installed.ts'
import type { Sourced } from './tools/tool.ts'

/** Drives a tool through all that is recorded of it. Throws where it does not come through. */
export async function tryTool(at: Stage, installed: Installed): Promise<Recording> {
  const { tool, version } = installed
  const adapter: Adapter | undefined = builtInAdapters.find(({ key }) => key === tool.key)
  if (adapter === undefined) throw new Error(`no row knows ${tool.key}`)
  const carried = await carry(at, installed, adapter)
  const quotaWall = tool.quotaWall
    ? await refuse(at, installed, { adapter, sourced: tool.quotaWall })
    : null
  const signedOut = await refuse(at, installed, { adapter, sourced: tool.signedOut })
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

async function carry(at: Stage, installed: Installed, adapter: Adapter) {
  await using place = await openPlace(at, installed)
  const { startMs, resumedMs, memory, usage } = await carryObjective(place)
  const { key } = installed.tool
  const [first, resumed, ...more] = place.printed()
  if (!first || !resumed || more.length > 0) throw new Error('one process for each run is expected')
  const parts = (printed: Printed, steps: typeof firstProcess) =>
    partsOf(adapter, printed, steps(key, place.workingTree))
  return {
    figures: {
      startSeconds: rounded(startMs / 1000, 2),
      resumedSeconds: rounded(resumedMs / 1000, 2),
      agentMegabytes: rounded(memory.agent, 0),
      ownMegabytes: rounded(memory.supervisor, 0),
    },
    usage,
    first: { exitCode: 0, parts: parts(first, firstProcess) },
    resumed: { exitCode: 0, parts: parts(resumed, secondProcess) },
  }
}

async function refuse(
  at: Stage,
  installed: Installed,
  { adapter, sourced }: { adapter: Adapter; sourced: Sourced },
): Promise<Refused> {
  await using place = await openPlace(at, installed, sourced.environment)
  const request = await meetRefusal(place, sourced)
  const [printed] = place.printed()
  if (printed === undefined) throw new Error('it was not started')
  return {
    source: sourced.source,
    became: describeExit(request),
    // of a run that is given back the service hears no exit code
    exitCode: request.exit?.exitCode ?? (adapter.protocol === 'acp' ? 0 : 1),
    parts: partsOf(adapter, printed, []),
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
