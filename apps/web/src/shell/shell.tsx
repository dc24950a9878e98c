import { Suspense, lazy, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { Capture } from '../parts/capture/capture.tsx'
import { LiveRegions } from '../ui/live-regions.tsx'
import { loadPart } from '../ui/load-part.ts'
import { Toasts } from '../ui/toasts.tsx'
import { TypedMeanwhile } from '../ui/typed-meanwhile.tsx'
import { Bar } from './bar.tsx'
import { Find } from './find.tsx'
import { Help } from './help.tsx'
import { Nav, useNav } from './nav.tsx'
import { Pages } from './pages.tsx'
import { RoleChange } from './role-change.tsx'
import { findRoute, routeRow } from './routes.ts'
import { useSettled } from './settled.ts'
import styles from './shell.module.css'
import { SignedOut } from './signed-out.tsx'
import { TabMark } from './tab-mark.tsx'
import { useKeys } from './use-keys.ts'

type Open = 'find' | 'help' | 'notify' | 'sign-out' | 'capture' | undefined

const NotifyDialog = lazy(async () => ({
  default: (await loadPart(() => import('../parts/notify/dialog.tsx'))).NotifyDialog,
}))
const SignOut = lazy(async () => ({
  default: (await loadPart(() => import('./sign-out.tsx'))).SignOut,
}))
const Notify = lazy(async () => ({
  default: (await loadPart(() => import('../parts/notify/notify.tsx'))).Notify,
}))

/** What is around every page. */
export function Shell() {
  const [open, setOpen] = useState<Open>()
  const [path, go] = useLocation()
  const { rights } = useWorkspace()
  const close = () => setOpen(undefined)
  const note = () => {
    if (!toField()) setOpen('capture')
  }
  const capture = rights.mayCall('createInboxItem') ? note : undefined
  const notifies = useNotifies()
  // the buttons of the browser lead to another page under an open dialog
  useEffect(close, [path])
  useKeys([
    { keys: '?', does: 'these keys', run: () => setOpen('help') },
    { keys: '/', does: 'find a mission', run: () => setOpen('find') },
    ...(capture ? [{ keys: 'i', does: 'note something down', run: capture }] : []),
    ...useNav().map(({ key, label, path }) => ({
      keys: `g ${key}`,
      does: `go to ${label}`,
      run: () => go(path),
    })),
  ])
  const shown = findRoute(path)
  const isBare = shown !== undefined && routeRow(shown.key).isBare === true
  return (
    <div className={isBare ? styles['bare'] : styles['shell']}>
      {!isBare && (
        <>
          <a className={styles['skip']} href="#main">
            Skip to the page
          </a>
          <Bar
            onFind={() => setOpen('find')}
            onHelp={() => setOpen('help')}
            onCapture={capture}
            onNotify={() => setOpen('notify')}
            onSignOut={() => setOpen('sign-out')}
          />
          <Nav />
        </>
      )}
      <Pages />
      <TabMark isCounted={!isBare} />
      <LiveRegions />
      <Toasts />
      {open === 'find' && <Find onClose={close} />}
      {open === 'help' && <Help onClose={close} />}
      {open === 'capture' && <Capture onClose={close} />}
      <Suspense fallback={<TypedMeanwhile onGiveUp={close} />}>
        {open === 'notify' && <NotifyDialog onClose={close} />}
        {open === 'sign-out' && <SignOut onClose={close} />}
      </Suspense>
      {/* by itself: what waits for its code would hide the dialog that turns it on */}
      <Suspense>{notifies && <Notify />}</Suspense>
      {!isBare && <SignedOut />}
      <RoleChange />
    </div>
  )
}

/** Once the page is there; a browser that shows none of such a page has not what tabs agree by either. */
function useNotifies(): boolean {
  const isOn = useStore(useWorkspace().notify)
  const isSettled = useSettled()
  return isOn && isSettled && window.isSecureContext
}

/** A page that has the field itself is led to it there: two of them would hold the same text, and note it down twice. */
function toField(): boolean {
  const field = document.querySelector<HTMLElement>('main [data-capture]')
  field?.focus()
  return field !== null
}
