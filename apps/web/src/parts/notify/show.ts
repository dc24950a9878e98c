import type { Notice } from './notices.ts'

export interface Shown {
  show: (notice: Notice) => void
  /** Those whose causes have all gone are closed. */
  settle: (isThere: (key: string) => boolean) => void
  closeAll: () => void
}

/** The notifications that this tab has shown, as long as their causes are there. */
export function openShown(prefix: string, open: (notice: Notice) => void): Shown {
  const shown = new Map<Notification, Notice>()
  const close = (notification: Notification) => {
    shown.delete(notification)
    notification.close()
  }
  return {
    show: (notice) => {
      const notification = notify(notice.title, { body: notice.body, tag: prefix + notice.tag })
      if (notification === undefined) return
      shown.set(notification, notice)
      notification.addEventListener('click', (event) => {
        event.preventDefault()
        close(notification)
        open(notice)
      })
    },
    settle: (isThere) => {
      for (const [notification, { keys }] of shown) if (!keys.some(isThere)) close(notification)
    },
    closeAll: () => [...shown.keys()].forEach(close),
  }
}

/** Undefined in a browser that has notifications and takes none of a page. */
export function notify(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}
