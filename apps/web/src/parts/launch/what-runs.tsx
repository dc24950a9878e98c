import { rightsInWords } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { CopyCommand } from '../../ui/copy.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { type Choice, dryRunOf } from './choice.ts'
import styles from './launch.module.css'
import type { Forecast } from './use-forecast.ts'

interface WhatRunsProps {
  projectId: string
  settings: Forecast['settings']
  displayId: string
  choice: Choice
}

/** What of a launch is not chosen here: what its project runs, and what the agent may do. */
export function WhatRuns({ projectId, settings, displayId, choice }: WhatRunsProps) {
  const { rights: ofPerson } = useWorkspace()
  const { preCommand, flags, rights, checks } = settings
  return (
    <Fold summary="What will run on that machine">
      <dl className={styles['settings']}>
        <dt>Rights</dt>
        <dd>It may {rightsInWords[rights.value]}. A runner may allow less.</dd>
        <dt>In front of its command</dt>
        <dd>{preCommand.value === null ? 'Nothing.' : <Command text={preCommand.value} />}</dd>
        <dt>Flags</dt>
        <dd>{flags.value.length === 0 ? 'None.' : <Command text={flags.value.join(' ')} />}</dd>
        <dt>Checks</dt>
        <dd>
          {checks.value.length === 0
            ? 'None before its delivery is taken.'
            : `Before its delivery is taken: ${checks.value.join(', ')}.`}
        </dd>
      </dl>
      {ofPerson.mayCall('getLaunchSettings') && (
        <p>
          It is set in{' '}
          <Link to={pathTo('projectSettings', { project: projectId }, { part: 'launch' })}>
            the settings of the project
          </Link>
          .
        </p>
      )}
      <p>On a machine where the project is linked, this shows each command as it would be run:</p>
      <CopyCommand command={dryRunOf(displayId, choice)} />
    </Fold>
  )
}

function Command({ text }: { text: string }) {
  return (
    <code>
      <Text>{text}</Text>
    </code>
  )
}
