import { useEffect } from 'react'

/** Keeps the screen awake while the page is seen, where the browser can and lets it; a lock ends when the page is not seen. */
export function useWakeLock(): void {
  useEffect(() => {
    // only a page that comes from this machine or by HTTPS has it, and not in every browser
    if (!('wakeLock' in navigator)) return undefined
    let isOver = false
    let held: WakeLockSentinel | undefined
    const hold = async () => {
      if (document.visibilityState !== 'visible' || held?.released === false) return
      try {
        held = await navigator.wakeLock.request('screen')
      } catch {
        // refused by its owner, or to save its battery
        return
      }
      if (isOver) await held.release()
    }
    const see = () => void hold()
    see()
    document.addEventListener('visibilitychange', see)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', see)
      void held?.release()
    }
  }, [])
}
