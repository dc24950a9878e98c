import type { RouteName } from '@svc/contracts/rest'
import type { Key } from '../../shell/keys.ts'

type MayCall = (operation: RouteName) => boolean

/** The keys of the pages; what somebody may not do has none. */
export function listKeys(mayCall: MayCall, { create }: { create: () => void }): Key[] {
  return mayCall('createWebhook') ? [{ keys: 'c', does: 'new webhook', run: create }] : []
}

interface Does {
  test: () => void
  edit: () => void
  reread: () => void
}

export function webhookKeys(mayCall: MayCall, { test, edit, reread }: Does): Key[] {
  const ofAdmins = [
    { keys: 't', does: 'send a test delivery', run: test },
    { keys: 'e', does: 'edit it', run: edit },
  ]
  return [
    ...(mayCall('updateWebhook') ? ofAdmins : []),
    { keys: 'r', does: 'read the log again', run: reread },
  ]
}

export function deliveryKeys(does: {
  resend: (() => void) | undefined
  reread: () => void
}): Key[] {
  const { resend, reread } = does
  return [
    ...(resend ? [{ keys: 's', does: 'send it again, or now', run: resend }] : []),
    { keys: 'r', does: 'read it again', run: reread },
  ]
}
