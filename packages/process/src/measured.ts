import { channel } from 'node:diagnostics_channel'

/** Something that a process tells whoever measures it. While nobody does, telling costs the look at a flag. */
function measured<T>(name: string) {
  const told = channel(`svc:${name}`)
  return {
    tell(make: () => T): void {
      if (told.hasSubscribers) told.publish(make())
    },
    /** Hears of each one until disposed. */
    hear(heard: (value: T) => void): Disposable {
      // nobody else publishes under this name
      const listener = (value: unknown) => heard(value as T)
      told.subscribe(listener)
      return {
        [Symbol.dispose]() {
          told.unsubscribe(listener)
        },
      }
    },
  }
}

/** Under the pattern of its route: as many as there are routes, whatever is asked for. */
export interface AnsweredRequest {
  requestId: string
  method: string
  route: string
  status: number
  seconds: number
}

export const requestAnswered = measured<AnsweredRequest>('request')

/** A call that was refused, by the code of the refusal. */
export const callRefused = measured<{ code: string }>('refusal')

/** A pass of a loop that came to its end. */
export const loopPassed = measured<{ loop: string; failed: boolean; seconds: number }>('loop')

/** An attempt to deliver a webhook, with what it has sent. */
export interface EndedAttempt {
  outcome: string
  seconds: number
  number: number
  deliveryId: string
  subscriptionId: string
  eventId: string
  payload: Uint8Array
}

export const attemptEnded = measured<EndedAttempt>('attempt')
