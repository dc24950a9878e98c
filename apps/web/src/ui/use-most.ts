import { useLayoutEffect } from 'react'

/**
 * Why what a field holds is too much; its form is not submitted meanwhile. The browser's own `maxlength` cuts the end of what
 * is pasted without a word.
 */
export function useMost(id: string, value: unknown, most: number | undefined): string | undefined {
  const over = typeof value === 'string' && most !== undefined ? value.length - most : 0
  const problem =
    over > 0 ? `This is ${over} ${over === 1 ? 'character' : 'characters'} too long.` : undefined
  useLayoutEffect(() => {
    const field = document.getElementById(id)
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      field.setCustomValidity(problem ?? '')
    }
  }, [id, problem])
  return problem
}
