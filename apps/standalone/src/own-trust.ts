import { addsNothing, launchSettingsOf } from '@svc/contracts/launch-settings'
import { isWhole } from '@svc/domain/access/require-whole'
import type { LaunchSettingsChange } from '@svc/domain/domain'
import type { Log } from '@svc/process/log'
import type { Home } from '@svc/runner/files/home'
import { digestOf, findTrusted, trustSettings } from '@svc/runner/files/trust-file'

/** The runner of this app, as its own service knows it. */
export interface OwnRunner {
  home: Home
  service: string
  /** Whose machine this is. */
  ownerId: string
}

/**
 * Has the runner trust what its owner sets, for which `svc runner trust` would ask them on this same machine. Where that
 * fails, or the app dies before the change is committed, the run that is refused names this command.
 */
export function heedOwner(log: Log, own: { runner?: OwnRunner }) {
  return (change: LaunchSettingsChange): void => {
    const { runner } = own
    try {
      if (runner && isOwn(runner, change)) trustIfKnown(runner, change)
    } catch (error) {
      log.warn({ err: error }, 'the launch settings that the owner has set could not be trusted')
    }
  }
}

/** An application, an agent or a token for a part of it is not the owner in person. */
function isOwn({ ownerId }: OwnRunner, { actor }: LaunchSettingsChange): boolean {
  return actor.userId === ownerId && isWhole(actor)
}

/** What somebody else has set, and the owner has not trusted, is not trusted because something else is changed. */
function trustIfKnown(
  { home, service }: OwnRunner,
  { project, before, after }: LaunchSettingsChange,
): void {
  const trusting = { service, projectId: project.id }
  const [had, has] = [launchSettingsOf(before), launchSettingsOf(after)]
  const trusted = findTrusted(home, trusting)
  if (trusted === undefined && addsNothing(has)) return
  if (!addsNothing(had) && trusted?.digest !== digestOf(had)) return
  trustSettings(home, { ...trusting, projectSlug: project.slug, settings: has })
}
