import { useEffect } from 'react'

interface Tried {
  isError: boolean
  refetch: () => unknown
}

/** A read that the service refused is tried again as often, since nobody is here to do that. */
const everyMs = 15_000

export function useTriedAgain(reads: readonly Tried[]): void {
  const failed = reads.filter(({ isError }) => isError)
  useEffect(() => {
    if (failed.length === 0) return undefined
    const timer = setInterval(() => failed.forEach(({ refetch }) => void refetch()), everyMs)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- as they stand when one of them begins or ends to fail
  }, [failed.length])
}
