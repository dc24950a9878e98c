import type { RouteOutput } from '@svc/contracts/rest'
import { useDeferredValue, useEffect, useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { type Choice, forecastOf } from './choice.ts'
import { forecast } from './reads.ts'

export type Forecast = RouteOutput<'forecastLaunch'>

/** What a launch with this choice would be; that of the choice before until it is known. */
export function useForecast(objectiveId: string, choice: Choice): Forecast | undefined {
  const request = forecastOf(objectiveId, useDeferredValue(choice))
  const { data } = useRead(forecast, request ?? { id: objectiveId })
  const [last, keep] = useState<Forecast>()
  useEffect(() => {
    if (data !== undefined) keep(data)
  }, [data])
  return data ?? last
}
