package kvcache
