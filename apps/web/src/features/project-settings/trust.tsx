import type { PreviewedLaunch } from '@svc/contracts/previewed-launch'
import type { Project } from '@svc/contracts/project'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { trustCommand } from '../../parts/first-run/commands.ts'
import { CopyCommand } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'

interface TrustProps {
  project: Pick<Project, 'slug'>
  now: PreviewedLaunch
  later: PreviewedLaunch
  isWritten: boolean
}

/** Whoever may set these settings would else run what they like on the machines of everybody. */
export function Trust({ project: { slug }, now, later, isWritten }: TrustProps) {
  if (!now.needsTrust && !later.needsTrust) return null
  if (!now.needsTrust) {
    return (
      <Notice tone="caution">
        Once this is saved, each runner refuses the launch until it is trusted on its machine.
      </Notice>
    )
  }
  return (
    <Notice tone="caution">
      <p>
        Each runner refuses this launch until these settings are trusted on its machine.{' '}
        {isWritten
          ? 'Once the change is saved it has to be trusted anew, by whoever has the machine:'
          : 'Whoever has the machine looks at them and trusts them there, after each change anew:'}
      </p>
      <CallerChoice />
      <CopyCommand command={trustCommand(slug)} />
    </Notice>
  )
}
