{{- define "ngd.name" -}}
{{ printf "%s-%s" .Release.Name (required "site: must be given, this member's name in the plan" .Values.site) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- define "ngd.selector" -}}
app.kubernetes.io/name: ngd-peer
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "ngd.labels" -}}
{{ include "ngd.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
