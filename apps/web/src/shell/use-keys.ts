import { createContext, useContext, useLayoutEffect, useRef } from 'react'
import type { Key, Keyboard, Place } from './keys.ts'

export const KeyboardContext = createContext<Keyboard | undefined>(undefined)

export function useKeyboard(): Keyboard {
  const keyboard = useContext(KeyboardContext)
  if (keyboard === undefined) throw new Error('Keys are used outside of the shell.')
  return keyboard
}

/** The keys of a page or a part of it, from the moment when it is drawn. What they do may change with each drawing. */
export function useKeys(keys: readonly Key[]): void {
  const keyboard = useKeyboard()
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  const place = useRef<Place>(undefined)
  useLayoutEffect(() => {
    const opened = keyboard.open()
    place.current = opened
    return opened.close
  }, [keyboard])
  const named = keys.map((key) => `${key.keys}\t${key.does ?? ''}`).join('\n')
  useLayoutEffect(() => {
    const shown = named === '' ? [] : named.split('\n')
    place.current?.show(
      shown.map((line) => {
        const [name = '', does = ''] = line.split('\t')
        return {
          keys: name,
          ...(does !== '' && { does }),
          run: () => latest.current.find((key) => key.keys === name)?.run(),
        }
      }),
    )
  }, [keyboard, named])
}
