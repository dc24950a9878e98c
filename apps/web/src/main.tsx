// in the first file, since most work begins on a board: each file of its own would be one more request before it
import '@tanstack/react-virtual'
import './data/states.ts'
import './ui/kbd.tsx'
import './ui/select.tsx'
import './ui/tabs.tsx'
import './ui/use-mouse.ts'
import './ui/use-wide.ts'
import './words/mission.ts'
import './words/plain.ts'
import '@svc/contracts/cut-text'
import '@svc/style/tokens.css'
import './ui/base.css'
// most people begin there: it comes with the first file, and is no file of its own
import './features/needs/page.tsx'
import { createRoot } from 'react-dom/client'
import { createStore } from './data/store.ts'
import { browserStorage, keep } from './data/storage.ts'
import { openWorkspace } from './data/workspace.ts'
import { App } from './shell/app.tsx'
import { watchTyping } from './shell/cut-off.ts'
import { keepFocus } from './shell/keep-focus.ts'
import { createKeyboard } from './shell/keys.ts'
import { listenToKeys } from './shell/listen-to-keys.ts'

const keysAreOff = 'svc:keys-off'
const { signal } = new AbortController()
// the service serves this document below `/w/<workspace>` alone
const slug = decodeURIComponent(location.pathname.split('/')[2] ?? '')

const keysAreOn = createStore(browserStorage.getItem(keysAreOff) === null)
keysAreOn.subscribe(() => keep(browserStorage, keysAreOff, keysAreOn.get() ? undefined : '1'))
const keyboard = createKeyboard(keysAreOn)

const open = () =>
  openWorkspace(slug, {
    // only a page that comes from this machine or by HTTPS has them
    locks: 'locks' in navigator ? navigator.locks : undefined,
    openChannel: (name) => new BroadcastChannel(name),
    storage: browserStorage,
    network: window,
    beginAnew: () => location.reload(),
  }).then((workspace) => {
    // also the last that is heard of a page which is left
    window.addEventListener('pagehide', () => workspace.drafts.flush(), { signal })
    // what other tabs keep or drop
    window.addEventListener('storage', workspace.drafts.hear, { signal })
    return workspace
  })

listenToKeys(keyboard, signal)
keepFocus(signal, watchTyping(signal))
const place = document.getElementById('app')
if (place) createRoot(place).render(<App slug={slug} open={open} keyboard={keyboard} />)
