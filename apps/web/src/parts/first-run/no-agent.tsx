import { soughtAgents } from '../../data/contracts.values.ts'
import { CopyCommand } from '../../ui/copy.tsx'
import { useNamedWorkspace } from '../../ui/svc-caller.ts'
import { scriptedCommand } from './commands.ts'

/** The agents that a runner finds by itself. */
export const soughtWords = new Intl.ListFormat('en', { type: 'disjunction' }).format(soughtAgents)

/** What makes a runner that is here take launches. */
export function NoAgent() {
  const workspace = useNamedWorkspace()
  return (
    <>
      <p>
        It offers no agent, so it takes no launches. Put {soughtWords} on the PATH of the runner
        there, and start the runner again. To try it without a model, end the runner and start it in
        a clone of svc with the scripted agent:
      </p>
      <CopyCommand command={scriptedCommand(workspace)} />
    </>
  )
}
