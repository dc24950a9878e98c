import '@svc/style/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.getElementById('app')
if (place) createRoot(place).render(<StrictMode>svc</StrictMode>)
